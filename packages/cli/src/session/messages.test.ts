import type { ControlMessage, MessageListener } from '@cairn/backends';
import type { World } from '../world.js';
import { heedMessages } from './messages.js';

function scene(
  steps: readonly string[] = [],
  over = false,
): {
  hear: (message: ControlMessage) => void;
  did: string[];
  said: string[];
} {
  const did: string[] = [];
  const said: string[] = [];
  let listener: MessageListener | undefined;
  heedMessages(
    {} as World,
    { onMessage: (given) => (listener = given) },
    {
      abort: ({ rollback }) => did.push(`abort ${rollback}`) > 0 && !over,
      approve: (task, by) => did.push(`approve ${task} ${by}`) > 0 && task === '4',
      cancelRunning: () => did.push('cancel running'),
      kill: () => did.push('kill'),
    },
    { say: (line) => said.push(line), running: () => steps },
  );
  return { hear: (message) => listener?.hear(message), did, said };
}

const undo: ControlMessage = { t: 'abort', rollback: true, by: 'ada' };
const keep: ControlMessage = { t: 'abort', rollback: false, by: 'ada' };

test.each<[ControlMessage, string, RegExp]>([
  [undo, 'abort true', /ada asks to stop.*rolled back$/],
  [keep, 'abort false', /ada asks to stop: no further step starts$/],
  [{ t: 'approve', task: '4', by: 'ada' }, 'approve 4 ada', /ada agrees to task 4$/],
  [{ t: 'approve', task: '5', by: 'ada' }, 'approve 5 ada', /does not wait/],
  [{ t: 'resolve', task: '4', answer: 'not-created', by: 'ada' }, '', /resumed/],
])('a running operation heeds %p', (message, done, text) => {
  const { hear, did, said } = scene();
  hear(message);
  expect(did.join()).toBe(done);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(text);
});

test.each<[string, readonly ControlMessage[], string[]]>([
  ['the same again', [undo, undo, undo], ['abort true', 'cancel running', 'kill']],
  ['stop, again and again', [keep, keep, undo], ['abort false', 'cancel running', 'kill']],
  ['stop after taking back', [undo, keep, keep], ['abort true', 'abort false', 'cancel running']],
])('asked to end more than once: %s', (_, messages, done) => {
  const { hear, did, said } = scene(['create slow (12s)']);
  for (const message of messages) hear(message);
  expect(did).toEqual(done);
  expect(said[0]).toMatch(/waiting for running ones: create slow \(12s\)$/);
  expect(said.at(-1)).toMatch(/create slow/);
});

test('one that has done everything already says that it is too late', () => {
  const { hear, said } = scene([], true);
  hear(undo);
  expect(said).toEqual(['ada asks to stop, too late: everything was done already']);
});
