import type { ControlMessage, MessageListener } from '@cairn/backends';
import type { World } from '../world.js';
import { heedMessages } from './messages.js';

test.each<[ControlMessage, string, RegExp]>([
  [{ t: 'abort', rollback: true, by: 'ada' }, 'abort true', /ada asks to stop.*taken back/],
  [{ t: 'abort', rollback: false, by: 'ada' }, 'abort false', /ada asks to stop: no further step starts$/],
  [{ t: 'approve', task: '4', by: 'ada' }, 'approve 4 ada', /ada agrees to task 4$/],
  [{ t: 'approve', task: '5', by: 'ada' }, 'approve 5 ada', /does not wait/],
  [{ t: 'resolve', task: '4', answer: 'not-created', by: 'ada' }, '', /resumed/],
])('a running operation heeds %p', (message, done, text) => {
  const did: string[] = [];
  const said: string[] = [];
  let listener: MessageListener | undefined;
  heedMessages(
    {} as World,
    { onMessage: (given) => (listener = given) },
    {
      abort: ({ rollback }) => did.push(`abort ${rollback}`),
      approve: (task, by) => did.push(`approve ${task} ${by}`) > 0 && task === '4',
    },
    { say: (line) => said.push(line) },
  );
  listener?.hear(message);
  expect(did.join()).toBe(done);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(text);
});
