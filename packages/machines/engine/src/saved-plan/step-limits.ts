import type { StepKind } from '../model/step-kinds.js';

const CREATED = ['same', 'create'] as const;
const CHANGED = ['same', 'update'] as const;

/**
 * Steps that may be taken where another was planned, besides that one itself [PLAN-4]. Another process may have done
 * the work meanwhile, so that less is left to do.
 */
const INSTEAD: Readonly<Record<StepKind, readonly StepKind[]>> = {
  same: [],
  create: CREATED,
  update: CHANGED,
  delete: [],
  replace: CHANGED,
  'create-replacement': CHANGED,
  'delete-replaced': CHANGED,
  read: [],
  'read-replacement': [],
  'read-discard': [],
  'discard-replaced': [],
  refresh: [],
  import: [],
  'import-replacement': [],
  'remove-pending-replace': [],
};

/** Tells whether a step may be taken where `planned` is next. */
export function mayTake(step: StepKind, planned: StepKind): boolean {
  return step === planned || INSTEAD[planned].includes(step);
}
