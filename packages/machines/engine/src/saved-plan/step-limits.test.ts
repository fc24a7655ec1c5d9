import { STEP_KINDS } from '../model/step-kinds.js';
import type { StepKind } from '../model/step-kinds.js';
import { mayTake } from './step-limits.js';

/** [PLAN-4] */
test.each<[StepKind, readonly StepKind[]]>([
  ['same', ['same']],
  ['create', ['same', 'create']],
  ['update', ['same', 'update']],
  ['delete', ['delete']],
  ['replace', ['same', 'update', 'replace']],
  ['create-replacement', ['same', 'update', 'create-replacement']],
  ['delete-replaced', ['same', 'update', 'delete-replaced']],
  ['read', ['read']],
  ['refresh', ['refresh']],
  ['import', ['import']],
])('where %s is planned, these may come: %j', (planned, allowed) => {
  const kinds = Object.keys(STEP_KINDS) as StepKind[];
  expect(kinds.filter((kind) => mayTake(kind, planned))).toEqual(allowed);
});
