import { resultOf } from './ending.js';
import type { EndingFacts } from './ending.js';

const WELL: EndingFacts = {
  kind: 'up',
  preview: false,
  failed: false,
  reported: false,
  stoppedByPerson: false,
  rollback: 'none',
  notRolledBack: 0,
  consents: 0,
  waiting: 0,
};
const FAILED = { failed: true, reported: true } as const;

test.each<readonly [string, Partial<EndingFacts>, string]>([
  ['all went well', {}, 'succeeded'],
  ['an error', FAILED, 'failed'],
  ['a person stopped it', { failed: true, stoppedByPerson: true }, 'cancelled'],
  ['it waits for an answer', { failed: true, waiting: 1 }, 'waiting'],
  ['an error counts more than what waits', { ...FAILED, waiting: 1 }, 'failed'],
  ['an error, and all was rolled back', { ...FAILED, rollback: 'over' }, 'rolled-back'],
  [
    'an error, and something could not be rolled back',
    { ...FAILED, rollback: 'over', notRolledBack: 1 },
    'failed',
  ],
  [
    'an error, and the rollback was cut short',
    { ...FAILED, rollback: 'running', stoppedByPerson: true },
    'cancelled',
  ],
  [
    'a person aborted it, and all was rolled back',
    { failed: true, stoppedByPerson: true, rollback: 'over' },
    'rolled-back',
  ],
  ['the rollback needs consent', { ...FAILED, rollback: 'over', notRolledBack: 1, consents: 1 }, 'waiting'],
  ['a rollback', { kind: 'rollback', rollback: 'over' }, 'succeeded'],
  ['a rollback that holds something', { kind: 'rollback', rollback: 'over', notRolledBack: 1 }, 'failed'],
  ['its preview', { kind: 'rollback', preview: true, rollback: 'over', notRolledBack: 1 }, 'succeeded'],
  ['a rollback that waits for an answer first', { kind: 'rollback', failed: true, waiting: 1 }, 'waiting'],
  ['a rollback of all that needs no answer', { kind: 'rollback', rollback: 'over', waiting: 1 }, 'waiting'],
])('%s', (_title, facts, result) => expect(resultOf({ ...WELL, ...facts })).toBe(result));
