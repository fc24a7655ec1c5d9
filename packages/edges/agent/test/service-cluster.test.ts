import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorkWriter } from '../src/cluster/work-lines.js';
import { parseExecutorFile, runServiceAgent } from '../src/index.js';
import { FakeCluster, NAMESPACE, TOKEN } from './fake-cluster.js';
import type { FakePod } from './fake-cluster.js';
import { FakeService } from './fake-service.js';

/** Runs of a service as jobs of a cluster. Both are fakes on real sockets. */

const base = mkdtempSync(path.join(tmpdir(), 'service-cluster-'));
afterAll(() => rmSync(base, { recursive: true }));
let cluster: FakeCluster;
let service: FakeService;
beforeEach(async () => {
  cluster = await FakeCluster.start(base);
  service = await FakeService.start();
  service.isHasty = true;
});
afterEach(async () => {
  const { faults } = cluster;
  await cluster.close();
  await service.close();
  expect(faults).toEqual([]);
});

const SECRET = 'hunter2-planted';
const PLAN = { digest: 'd', base: 'b', commit: 'a'.repeat(40), changesNothing: false };
const CREATE = [{ urn: 'urn:pulumi:dev::shop::t:m:R::page', type: 't:m:R', kind: 'create' }];

/** Work of a pod, as far as it is looked at. */
interface Work {
  readonly part: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stack: { readonly stack: string; readonly before: unknown };
}

/** Lets each pod end with the result of its part, and keeps the work of each. */
function answer(results: Readonly<Record<string, unknown>>): readonly Work[] {
  const works: Work[] = [];
  cluster.script = (pod: FakePod) => {
    const work = JSON.parse(pod.work) as Work;
    works.push(work);
    pod.run();
    const writer = new WorkWriter((text) => pod.log(text.trimEnd()));
    writer.line(work.part, `part ${work.part}`);
    writer.result(results[work.part], work.part === 'plan' ? 'the plan' : undefined);
    pod.end(0);
  };
  return works;
}

function kubeconfig(): string {
  const file = path.join(base, 'kubeconfig.json');
  const authority = Buffer.from(cluster.certificate).toString('base64');
  const context = { cluster: 'c', user: 'u', namespace: NAMESPACE };
  const content = {
    'current-context': 'main',
    contexts: [{ name: 'main', context }],
    clusters: [{ name: 'c', cluster: { server: cluster.url, 'certificate-authority-data': authority } }],
    users: [{ name: 'u', user: { token: TOKEN } }],
  };
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** Runs an agent until it has nothing to do. `executor` is its own one, as the file of `--executor` has it. */
async function runOnce(executor: object | undefined, isLocal: boolean): Promise<string> {
  const text = executor && JSON.stringify(executor);
  return runServiceAgent(
    {
      ...{ url: service.url, token: 'of the agent', organization: 'acme', folder: path.join(base, 'agent') },
      ...{ name: 'one', places: 1, isLocal },
      executor: text === undefined ? undefined : parseExecutorFile(text, path.join(base, 'executor.yaml')),
    },
    {
      ...{ env: {}, cairn: { command: 'false', words: [] }, log: () => undefined },
      onStop: () => () => undefined,
    },
    true,
  );
}

/** Run that a policy applies. `own` are further members of `cairn` in its settings. */
function run(own: object): object {
  return {
    ...{ deployment: 'd1', organization: 'acme', project: 'shop', stack: 'dev', operation: 'update' },
    ...{ fence: 1, token: 'of the run' },
    settings: {
      sourceContext: { git: { repoUrl: 'https://git.example/shop.git', branch: 'main' } },
      operationContext: { environmentVariables: { API_KEY: { secret: SECRET } }, preRunCommands: ['npm ci'] },
      cairn: { policy: { rules: [{ kinds: ['create'], then: 'apply' }] }, ...own },
    },
    row: {
      ...{ id: '1', stack: 'acme/shop/dev', kind: 'up', request: '1', by: 'ann', status: 'planning' },
      ...{ began: new Date().toISOString(), why: [], approvals: [], needed: 1 },
    },
  };
}

test.each([
  ['of the agent', false],
  ['of the settings', true],
])('the plan and the operation of a run are jobs, by the executor %s', async (_whose, isOfSettings) => {
  const works = answer({ plan: { t: 'planned', steps: CREATE, ...PLAN }, apply: { t: 'done' } });
  const executor = { kind: 'kubernetes', image: 'cairn:1', kubeconfig: kubeconfig() };
  service.runs.push(run(isOfSettings ? { executor } : {}));
  expect(await runOnce(isOfSettings ? undefined : executor, isOfSettings)).toBe('quiet');
  expect(works.map(({ part }) => part)).toEqual(['plan', 'apply']);
  // The pod speaks to the service with the token of its run, and has nothing of the agent.
  expect(works[1]).toMatchObject({
    stack: { stack: 'acme/shop/dev', before: [['sh', '-c', 'npm ci']] },
    env: { CAIRN_BACKEND_URL: service.url, CAIRN_ACCESS_TOKEN: 'of the run', API_KEY: SECRET },
  });
  expect(JSON.stringify(works)).not.toContain('of the agent');
  const statuses = service.reports.flatMap(({ rows }) => rows.map(({ status }) => status));
  expect(statuses.at(-1)).toBe('succeeded');
  const text = JSON.stringify(service.reports);
  expect(text).toContain('part apply');
  expect(text).toContain('the plan');
  expect([cluster.jobs.size, cluster.secrets.size]).toEqual([0, 0]);
});

test('settings choose no cluster of the machine of the agent', async () => {
  const works = answer({});
  service.runs.push(run({ executor: { kind: 'kubernetes', image: 'cairn:1', kubeconfig: kubeconfig() } }));
  expect(await runOnce(undefined, false)).toBe('quiet');
  expect(works).toEqual([]);
  expect(JSON.stringify(service.reports)).toContain('of the machine of the agent');
});
