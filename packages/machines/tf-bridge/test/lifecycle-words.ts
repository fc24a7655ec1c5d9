import type { Block, TfPath } from '@cairn/tfplugin';
import type {
  TerraformObjectState,
  Planned,
  PlannedDelete,
  StoredObject,
  Subject,
  TfDiagnostic,
} from '../src/index.js';
import type { ExpectedChange, KeptObject, Wanted } from './lifecycle-case.js';

/** A planned change. */
export interface Change {
  readonly address: string;
  readonly wanted?: Wanted;
  readonly action: string;
  readonly planned?: Planned;
  readonly delete?: PlannedDelete;
  /** Position among the objects that remain to be deleted. */
  readonly deposed?: number;
}

/** Returns an object of a case, as it is stored. */
export function storedOf({
  attributes,
  private: bytes = '',
  schemaVersion = 0,
  tainted = false,
}: KeptObject): StoredObject {
  return { attributes: JSON.stringify(attributes), private: Buffer.from(bytes), schemaVersion, tainted };
}

/** Returns the subject of calls about an object. */
export function subjectOf({ address, secret }: Pick<Wanted, 'address' | 'secret'>): Subject {
  const type = address.replace(/^(data|ephemeral)\./, '').split('.')[0] as string;
  return { type, address, ...(secret !== undefined && { masks: secret }) };
}

/** Tells whether the program's secrets differ from those in the state. */
export function isMarkedOtherwise({ secret = [] }: Wanted, prior: TerraformObjectState | undefined): boolean {
  return prior !== undefined && secret.length !== (prior.sensitivePaths ?? []).length;
}

/** Returns a change in the form of cases. */
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

/** Returns a finding in the form of cases. */
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

/** Returns a provider's message in the form of cases. */
export function saidText({ severity, summary }: TfDiagnostic): string {
  return `${severity} ${summary}`;
}

/** Returns the number of attributes that are secret by the schema and have a value. */
export function secretsOf(block: Block, attributes: KeptObject['attributes']): number {
  return [...block.attributes].filter(
    ([name, { sensitive }]) => sensitive && (attributes[name] ?? null) !== null,
  ).length;
}

/** Returns a path with keys of maps as plain texts. */
function plainPath(path: TfPath): TfPath {
  return path.map((step) => (typeof step === 'object' ? (step.key as string) : step));
}
