import {
  RUN_TRANSITIONS,
  hasRunEnded,
  isRunStatus,
  nextRunStatus,
  occupiesStack,
  runTransition,
} from './run-status.js';
import type { RunCall, RunStatus } from './run-status.js';

const EVENTS: readonly RunCall[] = [
  ...([
    'nothing',
    'allow',
    'ask',
    'refuse',
    'approve',
    'deny',
    'expire',
    'supersede',
    'begin',
    'succeed',
  ] as const),
  ...(['fail', 'lose', 'retry', 'recover', 'hold', 'roll-back'] as const),
];

/** Columns in the order of EVENTS; a dash is an event that cannot happen. */
const TABLE: Readonly<Record<RunStatus, string>> = {
  planning: 'succeeded ready waiting refused - - - superseded - - failed planning - - - -',
  waiting: '- - - - ready denied expired superseded - - - waiting - - - -',
  ready: '- - - - - denied expired - applying - failed ready - - - -',
  applying: '- - - - - - expired - - succeeded failed lost - - - -',
  lost: '- - - - - - - - - succeeded failed lost ready recovering held -',
  recovering: '- - - - - - - - - succeeded failed lost - - held rolled-back',
  held: '- - - - - - - - - succeeded failed held - recovering - rolled-back',
  succeeded: '- - - - - - - - - - - - - - - -',
  failed: '- - - - - - - - - - - - - - - -',
  'rolled-back': '- - - - - - - - - - - - - - - -',
  refused: '- - - - - - - - - - - - - - - -',
  denied: '- - - - - - - - - - - - - - - -',
  expired: '- - - - - - - - - - - - - - - -',
  superseded: '- - - - - - - - - - - - - - - -',
};

const statuses = Object.keys(RUN_TRANSITIONS) as RunStatus[];

test.each(statuses)('%s', (status) => {
  const row = TABLE[status].split(' ');
  expect(EVENTS.map((event) => nextRunStatus(status, event) ?? '-')).toEqual(row);
  EVENTS.forEach((event, at) => {
    if (row[at] === '-')
      expect(() => runTransition(status, event)).toThrow(`a run cannot ${event} while it is ${status}`);
    else expect(runTransition(status, event)).toBe(row[at]);
  });
});

test('runs that have ended, and those that keep their stack', () => {
  expect(statuses.filter(hasRunEnded)).toEqual([
    'succeeded',
    'failed',
    'rolled-back',
    'refused',
    'denied',
    'expired',
    'superseded',
  ]);
  expect(statuses.filter(occupiesStack)).toEqual([
    'planning',
    'ready',
    'applying',
    'lost',
    'recovering',
    'held',
  ]);
  expect([isRunStatus('held'), isRunStatus('toString'), isRunStatus(1)]).toEqual([true, false, false]);
});

test('nothing is applied without the policy or an approval', () => {
  const before = (wanted: RunStatus): readonly string[] =>
    statuses.flatMap((status) =>
      EVENTS.filter((event) => nextRunStatus(status, event) === wanted).map((event) => `${status} ${event}`),
    );
  expect(before('applying')).toEqual(['ready begin']);
  expect(before('ready')).toEqual(['planning allow', 'waiting approve', 'ready lose', 'lost retry']);
});
