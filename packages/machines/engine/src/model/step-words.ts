import type { StepKind } from './step-kinds.js';

/** Words for a kind when it is planned and when it is done. */
export const STEP_PHRASES: Record<StepKind, { readonly plan: string; readonly done: string }> = {
  same: { plan: 'unchanged', done: 'unchanged' },
  create: { plan: 'create', done: 'created' },
  update: { plan: 'update', done: 'updated' },
  delete: { plan: 'delete', done: 'deleted' },
  replace: { plan: 'replace', done: 'replaced' },
  'create-replacement': { plan: 'replace', done: 'created replacement' },
  'delete-replaced': { plan: 'delete original', done: 'deleted original' },
  read: { plan: 'read', done: 'read' },
  'read-replacement': { plan: 'read replacement', done: 'read replacement' },
  'read-discard': { plan: 'forget', done: 'forgotten' },
  'discard-replaced': { plan: 'forget original', done: 'forgot original' },
  refresh: { plan: 'refresh', done: 'refreshed' },
  import: { plan: 'import', done: 'imported' },
  'import-replacement': { plan: 'import replacement', done: 'imported replacement' },
  'remove-pending-replace': { plan: 'complete replacement', done: 'completed replacement' },
};

/** Marks of the kinds. With the words, they make colour unnecessary. */
export const STEP_MARKS: Record<StepKind, string> = {
  same: '  ',
  create: '+ ',
  update: '~ ',
  delete: '- ',
  replace: '+-',
  'create-replacement': '++',
  'delete-replaced': '--',
  read: '> ',
  'read-replacement': '>+',
  'read-discard': '< ',
  'discard-replaced': '<-',
  refresh: '~ ',
  import: '= ',
  'import-replacement': '=+',
  'remove-pending-replace': '~ ',
};
