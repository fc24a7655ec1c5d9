import type { StepKind } from './step-kinds.js';

/**
 * Part of a resource's change to undo. `remove`: the object that an operation has made or taken over. `restore`: its
 * changes to an object that is still the same. `recreate`: the object that it has deleted.
 */
export type UndoPart = 'remove' | 'restore' | 'recreate';

/** Part that the undo of a step covers. Undefined if the step has no effect that could be undone [REC-4]. */
export const UNDO_PART = {
  same: undefined,
  create: 'remove',
  'create-replacement': 'remove',
  update: 'restore',
  delete: 'recreate',
  'delete-replaced': 'recreate',
  'read-discard': 'recreate',
  'discard-replaced': 'recreate',
  replace: undefined,
  read: 'remove',
  'read-replacement': 'remove',
  refresh: undefined,
  import: 'remove',
  'import-replacement': 'remove',
  'remove-pending-replace': 'recreate',
} as const satisfies Record<StepKind, UndoPart | undefined>;
