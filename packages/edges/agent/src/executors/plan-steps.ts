import { createHash } from 'node:crypto';
import { asUrn, isDefaultProvider, isRootStackUrn, isUrn, urnType } from '@cairn/addresses';
import type { PlannedStep, PolicyStepKind } from '@cairn/changes-daemon';
import type { DriftedResource } from '@cairn/changes-daemon';

/** Kind of the steps that a plan names. A step that is not here counts as a replacement: it needs an approval. */
const KINDS: Readonly<Record<string, PolicyStepKind | 'none'>> = {
  same: 'none',
  refresh: 'none',
  'read-discard': 'none',
  'discard-replaced': 'none',
  'remove-pending-replace': 'none',
  create: 'create',
  update: 'update',
  delete: 'delete',
  import: 'import',
  read: 'read',
  'read-replacement': 'read',
};
const STRICTEST: readonly PolicyStepKind[] = ['replace', 'delete', 'import', 'update', 'create', 'read'];

/** Returns the steps of a saved plan, one for each resource that changes. */
export function stepsOfPlan(text: string): readonly PlannedStep[] {
  const { resourcePlans } = JSON.parse(text) as {
    readonly resourcePlans?: Readonly<Record<string, { readonly steps?: readonly string[] }>>;
  };
  return Object.entries(resourcePlans ?? {}).flatMap(([urn, { steps = [] }]) => stepsOf(urn, steps));
}

function stepsOf(urn: string, ops: readonly string[]): readonly PlannedStep[] {
  const kinds = ops.map((op) => KINDS[op] ?? 'replace');
  const kind = STRICTEST.find((each) => kinds.includes(each));
  const type = isUrn(urn) ? urnType(asUrn(urn)) : '';
  // The stack and default providers have no objects: they come and go with resources.
  const isMade = isUrn(urn) && (isRootStackUrn(urn) || isDefaultProvider(urn));
  return kind === undefined || isMade ? [] : [{ urn, type, kind }];
}

interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly old?: { readonly outputs?: object; readonly inputs?: object } | null;
  readonly new?: { readonly outputs?: object; readonly inputs?: object } | null;
  readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
}

/** Returns the metadata of the steps that ended in an event log, the last one of each resource. */
function metadataOf(log: string): readonly StepMetadata[] {
  const found = new Map<string, StepMetadata>();
  for (const line of log.split('\n')) {
    if (line.trim() === '') continue;
    const { resOutputsEvent } = JSON.parse(line) as {
      readonly resOutputsEvent?: { readonly metadata: StepMetadata };
    };
    if (resOutputsEvent !== undefined) found.set(resOutputsEvent.metadata.urn, resOutputsEvent.metadata);
  }
  return [...found.values()];
}

/** Returns the steps of a preview, from its event log. */
export function stepsOfEvents(log: string): readonly PlannedStep[] {
  return metadataOf(log).flatMap(({ urn, op }) => stepsOf(urn, [op]));
}

/** Returns true if the operation of an event log leaves objects and state as they are. */
export function eventsChangeNothing(log: string): boolean {
  return metadataOf(log).length === 0;
}

/** Most messages about a resource, and most characters of one, that a drift keeps. */
const MESSAGES = 3;
const LONGEST = 200;

/** Returns the messages of providers in an event log, by resource. Errors and warnings of Cairn itself are left out. */
function messagesOf(log: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of log.split('\n')) {
    if (!line.includes('"diagnosticEvent"')) continue;
    const { diagnosticEvent: event } = JSON.parse(line) as { readonly diagnosticEvent?: DiagnosticEvent };
    if (event?.urn === undefined || event.severity !== 'info' || event.ephemeral === true) continue;
    const text = (event.message ?? '')
      .replace(/<\{%.*?%\}>/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const known = found.get(event.urn) ?? [];
    if (text !== '' && known.length < MESSAGES) found.set(event.urn, [...known, text.slice(0, LONGEST)]);
  }
  return found;
}

interface DiagnosticEvent {
  readonly urn?: string;
  readonly severity?: string;
  readonly message?: string;
  readonly ephemeral?: boolean;
}

/** Returns the resources that a refresh found to differ, from its event log. */
export function driftOfEvents(log: string): readonly Omit<DriftedResource, 'since'>[] {
  const messages = messagesOf(log);
  return metadataOf(log).flatMap((metadata) => {
    const { urn, op } = metadata;
    if (op !== 'update' && op !== 'delete') return [];
    return [
      {
        urn,
        type: isUrn(urn) ? urnType(asUrn(urn)) : '',
        kind: op,
        keys: op === 'update' ? differingKeys(metadata) : [],
        ...(messages.has(urn) && { says: messages.get(urn) as readonly string[] }),
      },
    ];
  });
}

function differingKeys({ old, new: found, detailedDiff }: StepMetadata): readonly string[] {
  const detailed = Object.keys(detailedDiff ?? {});
  if (detailed.length > 0) return detailed.sort();
  const keys = new Set<string>();
  for (const part of ['inputs', 'outputs'] as const) {
    const [before, after] = [
      (old?.[part] ?? {}) as Record<string, unknown>,
      (found?.[part] ?? {}) as Record<string, unknown>,
    ];
    for (const key of Object.keys({ ...before, ...after }))
      if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) keys.add(key);
  }
  return [...keys].sort();
}

/** Returns a digest that identifies a plan, a state or a set of steps. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns a digest of steps without a plan, independent of their order. */
export function digestOfSteps(steps: readonly PlannedStep[]): string {
  return sha256Of(
    steps
      .map(({ urn, kind }) => `${kind} ${urn}`)
      .sort()
      .join('\n'),
  );
}
