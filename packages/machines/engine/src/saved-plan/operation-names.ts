import { STEP_KINDS } from '../model/step-kinds.js';
import type { StepKind } from '../model/step-kinds.js';

/** Kinds that have another name in plan files and events. */
const NAMES: Readonly<Partial<Record<StepKind, string>>> = { 'read-discard': 'discard' };

const KINDS: ReadonlyMap<string, StepKind> = new Map(
  (Object.keys(STEP_KINDS) as StepKind[]).map((kind) => [operationName(kind), kind]),
);

/** Returns the name of a kind of step in plan files and events [EVT-2]. */
export function operationName(kind: StepKind): string {
  return NAMES[kind] ?? kind;
}

/** Returns the kind that a plan file names, or `undefined` if there is none of that name. */
export function kindOfOperation(name: string): StepKind | undefined {
  return KINDS.get(name);
}
