import type { SeenAgent } from '../../store/deployment-store.js';
import { wantedAgent } from './agents-alive.js';
import type { AskedDeployment } from './deployment.js';

const asked = (pool?: string): AskedDeployment =>
  ({ ...(pool !== undefined && { pool }) }) as AskedDeployment;
const plain: SeenAgent = { agent: { name: 'a' }, agoMs: 0 };
const blue: SeenAgent = { agent: { name: 'b', pool: 'blue' }, agoMs: 0 };

test.each([
  ['no agent', undefined, [], 'an agent, and none is there'],
  ['one without a pool', undefined, [plain], 'an agent'],
  ['one of a pool, which takes all', undefined, [blue], 'an agent'],
  ['one of another pool', 'green', [blue], 'an agent of the pool green, and none is there'],
  ['one of its pool', 'blue', [plain, blue], 'an agent of the pool blue'],
  ['one that is silent', undefined, [{ ...plain, agoMs: 600_000 }], 'an agent, and none is there'],
  [
    'one that has ended',
    undefined,
    [{ agent: { name: 'a', gone: '2030-01-01T00:00:00Z' }, agoMs: 0 }],
    'an agent, and none is there',
  ],
])('with %s, a run waits for it or not', (_title, pool, agents, words) => {
  expect(wantedAgent(asked(pool), agents)).toBe(words);
});
