import { STEP_KINDS } from '../model/step-kinds.js';
import type { StepKind } from '../model/step-kinds.js';

/** Kinds that have another name in plan files and events. */
const NAMES: Readonly<Partial<Record<StepKind, string>>> = { 'read-discard': 'discard' };

const KINDS: ReadonlyMap<string, StepKind> = new Map(
  (Object.keys(STEP_KINDS) as StepKind[]).map((kind) => [operationName(kind), kind]),
);

/** A kind of step as plan files and events name it [EVT-2]. */
export function operationName(kind: StepKind): string {
  return NAMES[kind] ?? kind;
}

/** The kind that a plan file names; undefined when there is none of that name. */
export function kindOfOperation(name: string): StepKind | undefined {
  return KINDS.get(name);
}
