import type { Block, TfPath } from '@cairn/tfplugin';
import type {
  ObjectState,
  Planned,
  PlannedDelete,
  StoredObject,
  Subject,
  TfDiagnostic,
} from '../src/index.js';
import type { ExpectedChange, KeptObject, Wanted } from './lifecycle-case.js';

/** A change that is planned. */
export interface Change {
  readonly address: string;
  readonly wanted?: Wanted;
  readonly action: string;
  readonly planned?: Planned;
  readonly delete?: PlannedDelete;
  /** Place among the objects that are left to delete. */
  readonly deposed?: number;
}

/** An object of a case, as it is stored. */
export function storedOf({
  attributes,
  private: bytes = '',
  schemaVersion = 0,
  tainted = false,
}: KeptObject): StoredObject {
  return { attributes: JSON.stringify(attributes), private: Buffer.from(bytes), schemaVersion, tainted };
}

/** What the calls about an object are about. */
export function subjectOf({ address, secret }: Pick<Wanted, 'address' | 'secret'>): Subject {
  const type = address.replace(/^(data|ephemeral)\./, '').split('.')[0] as string;
  return { type, address, ...(secret !== undefined && { masks: secret }) };
}

/** Whether the program has other secrets than the state knows of. */
export function isMarkedOtherwise({ secret = [] }: Wanted, prior: ObjectState | undefined): boolean {
  return prior !== undefined && secret.length !== (prior.sensitivePaths ?? []).length;
}

/** A change as cases write it. */
export function expectedOf({ address, action, planned, wanted, deposed }: Change): ExpectedChange {
  const { reason, replacePaths = [] } = planned ?? {};
  return {
    address,
    action,
    ...(action === 'replace' && wanted?.createFirst === true && { createFirst: true }),
    ...(deposed !== undefined && { deposed: true }),
    ...(action === 'replace' && reason !== undefined && { reason }),
    ...(action === 'replace' && replacePaths.length > 0 && { paths: replacePaths.map(plainPath) }),
  };
}

/** A finding as cases write it. */
export function findingText({
  code,
  path,
  masked,
}: {
  readonly code: string;
  readonly path: TfPath;
  readonly masked?: boolean;
}): string {
  const place = path
    .map((step) =>
      typeof step === 'string' ? `.${step}` : `[${String(typeof step === 'number' ? step : '...')}]`,
    )
    .join('');
  return `${code} ${place}${masked === true ? ' masked' : ''}`.trim();
}

/** What the provider says, as cases write it. */
export function saidText({ severity, summary }: TfDiagnostic): string {
  return `${severity} ${summary}`;
}

/** How many attributes are secret by the schema and have a value. */
export function secretsOf(block: Block, attributes: KeptObject['attributes']): number {
  return [...block.attributes].filter(
    ([name, { sensitive }]) => sensitive && (attributes[name] ?? null) !== null,
  ).length;
}

/** Keys of maps are written as they are. */
function plainPath(path: TfPath): TfPath {
  return path.map((step) => (typeof step === 'object' ? (step.key as string) : step));
}
