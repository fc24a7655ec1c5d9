import type { ClaimedRun } from '@cairn/http-api';
import { isCairnError } from '@cairn/diagnostics';
import { claimedStack } from './claimed-stack.js';

/** Returns a run of a stack whose own settings have an executor. */
const claimed = (executor: object): ClaimedRun => ({
  ...{
    organization: 'acme',
    project: 'shop',
    stack: 'dev',
    deployment: 'd1',
    operation: 'update',
    fence: 1,
    token: 't',
    row: {},
  },
  settings: { cairn: { source: { git: 'https://git.example/shop.git', branch: 'main' }, executor } },
});

const containerOf = (executor: object, isLocal: boolean): unknown =>
  claimedStack(claimed(executor), 'https://state.example', isLocal, {}).stack.container;

test('settings of a service may name an image', () => {
  expect(containerOf({ kind: 'container', image: 'cairn:1', home: 'kept' }, false)).toEqual({
    ...{ command: 'docker', image: 'cairn:1', keepsHome: true, mounts: [] },
  });
});

test.each([{ command: '/srv/tool' }, { network: 'host' }, { mounts: ['/etc'] }, { user: '0:0' }])(
  'only an agent with local sources takes %j',
  (more) => {
    const executor = { kind: 'container', image: 'cairn:1', ...more };
    expect(containerOf(executor, true)).toMatchObject(more);
    let refused: unknown;
    try {
      containerOf(executor, false);
    } catch (thrown) {
      refused = thrown;
    }
    if (!isCairnError(refused)) throw refused;
    expect(refused.diagnostics[0]).toMatchObject({
      code: 'CAIRN-AGENT-INVALID',
      summary: expect.stringContaining('their executor has command, network, mounts, user of the machine'),
    });
  },
);
