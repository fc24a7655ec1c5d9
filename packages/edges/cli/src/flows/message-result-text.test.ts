import type { ControlMessage } from '@cairn/backends';
import type { MessageResult } from '@cairn/operations/stacks';
import { messageResultText } from './message-result-text.js';

const abort: ControlMessage = { t: 'abort', rollback: true, by: 'ada' };
const approve: ControlMessage = { t: 'approve', task: '4', by: 'ada' };
const resolve: ControlMessage = { t: 'resolve', task: '4', answer: 'not-created', by: 'ada' };

test.each<[ControlMessage, MessageResult, readonly string[], RegExp]>([
  [abort, { t: 'abort', how: 'undo' }, [], /^ada asks to stop.*rolled back$/],
  [abort, { t: 'abort', how: 'keep' }, [], /^ada asks to stop: no further step starts$/],
  [abort, { t: 'abort', how: 'keep' }, ['create slow (12s)'], /running ones: create slow \(12s\)$/],
  [abort, { t: 'abort', how: 'cancelled' }, ['create slow (12s)'], /once more: .*create slow/],
  [abort, { t: 'abort', how: 'left' }, ['create slow (12s)'], /at once; in doubt: create slow/],
  [abort, { t: 'abort', how: 'too-late' }, [], /^ada asks to stop, too late: everything is already done$/],
  [approve, { t: 'approve', waits: true }, [], /^ada approves task 4$/],
  [approve, { t: 'approve', waits: false }, [], /approves task 4, which is not waiting/],
  [resolve, { t: 'resolve' }, [], /ada answered for task 4; the answer takes effect when .* resumed/],
])('%j that came to %j', (message, result, steps, text) =>
  expect(messageResultText(message, result, steps, 5_000)).toMatch(text),
);
