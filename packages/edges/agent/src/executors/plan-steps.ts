import { createHash } from 'node:crypto';
import { asUrn, isDefaultProvider, isRootStackUrn, isUrn, urnType } from '@cairn/addresses';
import { driftOfEvents, endedSteps } from '@cairn/changes-daemon';
import type { DriftedResource, PlannedStep, PolicyStepKind } from '@cairn/changes-daemon';

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

/** Returns the events of a log. */
function* eventsOf(log: string): Generator<object> {
  for (const line of log.split('\n')) if (line.trim() !== '') yield JSON.parse(line) as object;
}

/** Returns the steps of a preview, from its event log. */
export function stepsOfEvents(log: string): readonly PlannedStep[] {
  return endedSteps(eventsOf(log)).flatMap(({ urn, op }) => stepsOf(urn, [op]));
}

/** Returns true if the operation of an event log leaves objects and state as they are. */
export function eventsChangeNothing(log: string): boolean {
  return endedSteps(eventsOf(log)).length === 0;
}

/** Returns the resources that a refresh found to differ, from its event log. */
export function driftOfLog(log: string): readonly Omit<DriftedResource, 'since'>[] {
  return driftOfEvents(eventsOf(log));
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
