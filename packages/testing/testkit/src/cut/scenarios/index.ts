import type { CutScenario } from '../cut-scenario.js';
import { CREATING } from './creating.js';
import { DELETING } from './deleting.js';
import { LIMITED } from './limited.js';
import { PLANNED } from './planned.js';
import { REPLACING } from './replacing.js';
import { UNDOING } from './undoing.js';
import { UPDATING } from './updating.js';

/** Every scenario of the cut test. */
export const CUT_SCENARIOS: readonly CutScenario[] = [
  ...CREATING,
  ...UPDATING,
  ...REPLACING,
  ...DELETING,
  ...LIMITED,
  ...UNDOING,
  ...PLANNED,
];
