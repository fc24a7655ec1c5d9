/**
 * Kinds of steps on one resource [REG-1]. `logical`: counts as a change of the resource in summaries. The others are
 * the physical halves of a replacement or bookkeeping.
 */
export const STEP_KINDS = {
  same: { logical: true, presentParticiple: 'unchanged' },
  create: { logical: true, presentParticiple: 'creating' },
  update: { logical: true, presentParticiple: 'updating' },
  delete: { logical: true, presentParticiple: 'deleting' },
  replace: { logical: true, presentParticiple: 'replacing' },
  'create-replacement': { logical: false, presentParticiple: 'creating replacement' },
  'delete-replaced': { logical: false, presentParticiple: 'deleting original' },
  read: { logical: true, presentParticiple: 'reading' },
  'read-replacement': { logical: false, presentParticiple: 'reading replacement' },
  'read-discard': { logical: true, presentParticiple: 'forgetting' },
  'discard-replaced': { logical: false, presentParticiple: 'forgetting original' },
  refresh: { logical: false, presentParticiple: 'refreshing' },
  import: { logical: true, presentParticiple: 'importing' },
  'import-replacement': { logical: false, presentParticiple: 'importing replacement' },
  'remove-pending-replace': { logical: false, presentParticiple: 'completing replacement' },
} as const satisfies Record<string, { readonly logical: boolean; readonly presentParticiple: string }>;

/** Kind of a step. */
export type StepKind = keyof typeof STEP_KINDS;

/** Returns true if the text names a kind of step. */
export function isStepKind(text: string): text is StepKind {
  return Object.hasOwn(STEP_KINDS, text);
}
