import { UPDATE_MACHINE, nextStatus } from './update-machine.js';
import type { UpdateCall, UpdateStatus } from './update-machine.js';

type Row = readonly [status: UpdateStatus, answers: Readonly<Record<UpdateCall, string>>];

const STARTED = '409 Update was started already.';
const NOT_STARTED = '409 Update was not started.';
const ENDED = '409 Update has ended.';
const CANCELLED = '409 Update was cancelled.';

const holder = (answer: string) => ({ renew: answer, write: answer, events: answer });

const ROWS: readonly Row[] = [
  [
    'created',
    {
      start: 'running',
      ...holder(NOT_STARTED),
      succeed: NOT_STARTED,
      fail: NOT_STARTED,
      cancel: 'cancelled',
      expire: 'repeat',
    },
  ],
  [
    'running',
    {
      start: STARTED,
      ...holder('running'),
      succeed: 'succeeded',
      fail: 'failed',
      cancel: 'cancelled',
      expire: 'failed',
    },
  ],
  [
    'succeeded',
    { start: ENDED, ...holder(ENDED), succeed: 'repeat', fail: ENDED, cancel: 'repeat', expire: 'repeat' },
  ],
  [
    'failed',
    { start: ENDED, ...holder(ENDED), succeed: ENDED, fail: 'repeat', cancel: 'repeat', expire: 'repeat' },
  ],
  [
    'cancelled',
    {
      start: CANCELLED,
      ...holder(CANCELLED),
      succeed: CANCELLED,
      fail: CANCELLED,
      cancel: 'repeat',
      expire: 'repeat',
    },
  ],
];

test.each(ROWS)('an update that is %s', (status, answers) => {
  const calls = Object.keys(UPDATE_MACHINE[status]) as UpdateCall[];
  expect(Object.fromEntries(calls.map((call) => [call, answerTo({ status }, call)]))).toEqual(answers);
});

test('the holder of an expired update gets 403, and everyone else the answer of a failed one', () => {
  const expired = { status: 'failed', expired: true } as const;
  for (const call of ['renew', 'write', 'events', 'succeed', 'fail'] as const)
    expect(answerTo(expired, call)).toBe('403 The lease of the update has expired.');
  expect([answerTo(expired, 'start'), answerTo(expired, 'cancel')]).toEqual([ENDED, 'repeat']);
});

function answerTo(update: Parameters<typeof nextStatus>[0], call: UpdateCall): string {
  try {
    return nextStatus(update, call);
  } catch (thrown) {
    const { status, text } = thrown as { readonly status: number; readonly text: string };
    return `${status} ${text}`;
  }
}
