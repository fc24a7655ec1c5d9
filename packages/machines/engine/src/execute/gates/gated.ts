import type { StepKind } from '../../model/step-kinds.js';
import type { Chain } from '../../model/step.js';

/** Kinds of steps that need approval: those that make, alter, delete or take over an object. Reading one needs none. */
const GATED = {
  same: false,
  create: true,
  update: true,
  delete: true,
  replace: false,
  'create-replacement': true,
  'delete-replaced': true,
  read: false,
  'read-replacement': false,
  refresh: false,
  'read-discard': false,
  'discard-replaced': false,
  'remove-pending-replace': false,
  import: true,
  'import-replacement': true,
} as const satisfies Record<StepKind, boolean>;

/** Returns true if a step of the chain needs the approval that its resource asks for. */
export function needsApproval(chain: Chain): boolean {
  return chain.some((step) => GATED[step.kind]);
}
