import { MOST_TICKETS, refuseFullQueue } from './queue.js';

const STACK = { project: 'shop', stack: 'dev' };
const waiting = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}` }));

test.each([
  ['a new client in a queue with a place left', MOST_TICKETS - 1, 'new', false],
  ['a new client in a full queue', MOST_TICKETS, 'new', true],
  ['a client that waits in a full queue', MOST_TICKETS, '0', false],
])('%s', (_case, count, id, isRefused) => {
  const keep = () => refuseFullQueue(waiting(count), { id }, STACK);
  if (isRefused) expect(keep).toThrow("Too many clients wait for stack 'dev'.");
  else expect(keep).not.toThrow();
});
