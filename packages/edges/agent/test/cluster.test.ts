import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunRow } from '@cairn/changes-daemon';
import { isCairnError } from '@cairn/diagnostics';
import { readClusterAccess } from '../src/cluster/cluster-access.js';
import { ClusterApi } from '../src/cluster/cluster-api.js';
import { ClusterJobs } from '../src/cluster/cluster-job.js';
import { WorkWriter } from '../src/cluster/work-lines.js';
import type { AgentConfig, AgentStack } from '../src/config/agent-config.js';
import { KubernetesWork } from '../src/executors/kubernetes-work.js';
import { ProcessExecutor } from '../src/executors/process.js';
import { runFiles } from '../src/executors/run-files.js';
import { FakeCluster, NAMESPACE, TOKEN } from './fake-cluster.js';
import type { FakePod } from './fake-cluster.js';

/** Jobs of a cluster, by an API server that checks each request. */

const base = mkdtempSync(path.join(tmpdir(), 'agent-cluster-'));
afterAll(() => rmSync(base, { recursive: true }));
let cluster: FakeCluster;
beforeEach(async () => void (cluster = await FakeCluster.start(base)));
afterEach(async () => {
  const { faults } = cluster;
  await cluster.close();
  expect(faults).toEqual([]);
});

const SECRET = 'hunter2-planted';
const ENV = { CAIRN_BACKEND_URL: 's3://states', API_TOKEN: SECRET, PATH: '/of/the/agent' };
const PLANNED = {
  ...{ t: 'planned', steps: [], digest: 'd', base: 'b', commit: 'a'.repeat(40), changesNothing: true },
};
const STACK: AgentStack = {
  ...{
    name: 'dev',
    stack: 'dev',
    backend: undefined,
    before: [],
    afterwards: [],
    environment: ['API_TOKEN'],
    onCommit: 'up',
  },
  source: {
    t: 'git',
    url: 'https://git.example/shop.git',
    ref: 'refs/heads/main',
    folder: '.',
    everyMs: 60_000,
  },
  ...{ up: undefined, drift: undefined, recovery: 'resume', timeToLive: undefined, after: [] },
  policy: { name: 'p', rules: [], approvals: 1, others: false },
  limits: { timeMs: 60_000, outputBytes: 10_000, memoryBytes: 1 << 30, processors: 2, diskBytes: 1 << 20 },
  cluster: {
    ...{ image: 'cairn:1', namespace: NAMESPACE, serviceAccount: 'runs', pullSecret: 'registry' },
    user: { uid: 1000, gid: 1000 },
  },
};
const RUN: RunRow = {
  ...{
    id: '7',
    stack: 'dev',
    kind: 'up',
    request: 'r',
    by: 'ada',
    status: 'planning',
    began: '2026-01-01T00:00:00Z',
  },
  ...{ why: [], approvals: [], needed: 1 },
};

let folders = 0;

/** Work by the cluster, with an executor that can stop it. */
function worker(env: Readonly<Record<string, string>> = ENV) {
  const folder = path.join(base, `agent-${(folders += 1)}`);
  const config: AgentConfig = { ...{ file: '', folder, name: 'one', places: 1 }, stacks: [STACK] };
  const executor = new ProcessExecutor('none');
  const said: string[] = [];
  const work = new KubernetesWork(
    config,
    {
      ...{
        env,
        log: (text: string, facts: object = {}) => void said.push(`${text} ${JSON.stringify(facts)}`),
      },
      open: async ({ kubeconfig }) => {
        const access = await readClusterAccess({
          kubeconfig: kubeconfig ?? configFile({ token: TOKEN }),
          env,
        });
        const api = new ClusterApi(access, { callMs: 5_000, silenceMs: 5_000, retryMs: 1 });
        const times = { startMs: 60_000, watchMs: 1_000, againMs: 1, removeMs: 5_000 };
        return {
          jobs: new ClusterJobs(api, NAMESPACE, times),
          namespace: NAMESPACE,
          close: () => api.close(),
        };
      },
    },
    executor,
    {} as never,
  );
  return { work, executor, said, files: runFiles(folder, RUN.id) };
}

/** Writes a kubeconfig file for the fake, with this user. */
function configFile(user: object, more: object = {}): string {
  const file = path.join(base, `kubeconfig-${(folders += 1)}`);
  const authority = Buffer.from(cluster.certificate).toString('base64');
  writeFileSync(
    file,
    JSON.stringify({
      'current-context': 'main',
      contexts: [{ name: 'main', context: { cluster: 'c', user: 'u', namespace: NAMESPACE } }],
      clusters: [
        { name: 'c', cluster: { server: cluster.url, 'certificate-authority-data': authority, ...more } },
      ],
      users: [{ name: 'u', user }],
    }),
  );
  return file;
}

/** Resolves when the cluster gets a call, after some others. */
function called(kind: string, after = 0): Promise<void> {
  return new Promise((resolve) => {
    const look = setInterval(() => {
      if (!cluster.calls.slice(after).includes(kind)) return;
      clearInterval(look);
      resolve();
    }, 1);
  });
}

/** Script of a pod that logs, and gives a result with its plan. */
function succeeds(result: unknown, plan?: string): (pod: FakePod) => void {
  return (pod) => {
    pod.run();
    const writer = new WorkWriter((text) => pod.log(text.trimEnd()));
    writer.line('preview', 'one');
    writer.line('preview', 'two');
    writer.result(result, plan);
    pod.end(0);
  };
}

test('a part is one job: its secret goes with it, its plan and logs come back, nothing is left', async () => {
  const plan = JSON.stringify({ text: 'x'.repeat(20_000) });
  cluster.script = succeeds(PLANNED, plan);
  const { work, files, said } = worker();
  expect(await work.plan(STACK, RUN)).toEqual(PLANNED);
  expect(readFileSync(files.plan, 'utf8')).toBe(plan);
  expect(readFileSync(files.log('preview'), 'utf8')).toBe('one\ntwo\n');
  expect(said).toEqual([]);
  const [job, secret] = cluster.bodies;
  expect(JSON.stringify(job)).not.toContain(SECRET);
  expect(job).toMatchObject({
    metadata: { labels: { 'cairn.run': '7' } },
    spec: {
      ...{ suspend: true, backoffLimit: 0 },
      template: {
        spec: {
          ...{ serviceAccountName: 'runs', imagePullSecrets: [{ name: 'registry' }] },
          ...{ automountServiceAccountToken: false, restartPolicy: 'Never' },
          containers: [
            {
              image: 'cairn:1',
              resources: { limits: { memory: '1073741824', cpu: '2' } },
              securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
            },
          ],
        },
      },
    },
  });
  expect(secret).toMatchObject({ kind: 'Secret', metadata: { ownerReferences: [{ kind: 'Job' }] } });
  expect([cluster.jobs.size, cluster.secrets.size]).toEqual([0, 0]);
});

test('a plan with more steps than one line of a log holds comes back whole', async () => {
  const urn = `urn:pulumi:dev::shop::t:m:R::${'ü'.repeat(80)}`;
  const steps = Array.from({ length: 8_000 }, (_, at) => ({ urn: urn + at, type: 't:m:R', kind: 'create' }));
  const big = { ...PLANNED, steps };
  cluster.script = succeeds(big, 'the plan');
  const stack = { ...STACK, limits: { ...STACK.limits, outputBytes: 1 << 20 } };
  expect(await worker().work.plan(stack, RUN)).toEqual(big);
});

test('the pod gets the variables of the stack, and none of the agent', async () => {
  let work: { env?: unknown; plan?: unknown; part?: unknown } = {};
  cluster.script = (pod) => {
    work = JSON.parse(pod.work) as typeof work;
    succeeds({ t: 'done' })(pod);
  };
  const { work: worked, files } = worker({ ...ENV, OTHER: 'of the agent' });
  mkdirSync(files.exchange, { recursive: true });
  writeFileSync(files.plan, 'the plan');
  expect(await worked.apply(STACK, RUN)).toEqual({ t: 'done' });
  expect(work).toMatchObject({
    ...{ part: 'apply', plan: 'the plan', env: { CAIRN_BACKEND_URL: 's3://states', API_TOKEN: SECRET } },
  });
  expect(work.env).not.toHaveProperty('OTHER');
  expect(work.env).not.toHaveProperty('PATH');
});

const GIT_TOKEN = 'git-token-planted';
const PRIVATE: AgentStack = {
  ...STACK,
  source: { ...(STACK.source as AgentStack['source'] & { t: 'git' }), credentials: 'GIT_TOKEN' },
};
/** Part of a container that says what it can read. */
interface MadeContainer {
  readonly name: string;
  readonly command: readonly string[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

test('credentials for git are in a secret of the container that fetches, and the program has none', async () => {
  const works: string[] = [];
  cluster.script = (pod) => {
    works.push(pod.work, pod.source ?? '');
    succeeds(PLANNED, 'plan')(pod);
  };
  const { work } = worker({ ...ENV, GIT_TOKEN });
  expect(await work.plan(PRIVATE, RUN)).toEqual(PLANNED);
  const [own = '', source = ''] = works;
  expect(own).not.toContain(GIT_TOKEN);
  expect(JSON.parse(own)).toMatchObject({ part: 'plan', isFetched: true });
  expect(JSON.parse(source)).toMatchObject({ part: 'source', git: GIT_TOKEN });
  const [job, ...secrets] = cluster.bodies as unknown as [
    { spec: { template: { spec: { initContainers: MadeContainer[]; containers: MadeContainer[] } } } },
    ...{ kind?: string; metadata?: { name: string } }[],
  ];
  const { initContainers, containers } = job.spec.template.spec;
  const mounts = (made: readonly MadeContainer[]) =>
    made.map(({ name, command, volumeMounts }) => [
      name,
      command.at(-1),
      volumeMounts.map((each) => each.name),
    ]);
  expect(mounts(initContainers)).toEqual([
    ['source', '/run/cairn-source/work', ['source-work', 'files', 'tmp']],
  ]);
  expect(mounts(containers)).toEqual([['run', '/run/cairn/work', ['run-work', 'files', 'tmp']]]);
  const names = secrets.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata?.name ?? '');
  expect(names).toEqual([expect.stringMatching(/^cairn-[0-9a-f-]{36}$/), `${names[0]}-source`]);
  expect([cluster.jobs.size, cluster.secrets.size]).toEqual([0, 0]);
});

test('a newest commit is read for an apply that is bound to it', async () => {
  const heads: unknown[] = [];
  cluster.script = (pod) => {
    heads.push((JSON.parse(pod.source ?? '{}') as { withHead?: unknown }).withHead);
    succeeds({ t: 'done' })(pod);
  };
  const { work } = worker({ ...ENV, GIT_TOKEN });
  for (const run of [RUN, { ...RUN, pinned: true as const }]) await work.apply(PRIVATE, run);
  await work.recover(PRIVATE, RUN, 'resume');
  expect(heads).toEqual([true, undefined, undefined]);
});

test('a plan of several megabytes is in several secrets, and one that is too large begins nothing', async () => {
  const plan = randomBytes(1 << 21).toString('base64');
  let work: { plan?: string } = {};
  cluster.script = (pod) => {
    work = JSON.parse(pod.work) as typeof work;
    succeeds({ t: 'done' })(pod);
  };
  const { work: worked, files } = worker();
  mkdirSync(files.exchange, { recursive: true });
  writeFileSync(files.plan, plan);
  expect(await worked.apply(STACK, RUN)).toEqual({ t: 'done' });
  expect(work.plan === plan).toBe(true);
  const secrets = cluster.bodies.filter(({ kind }) => kind === 'Secret');
  expect(secrets).toHaveLength(3);
  expect([cluster.jobs.size, cluster.secrets.size]).toEqual([0, 0]);
  const calls = cluster.calls.length;
  writeFileSync(files.plan, randomBytes(13 << 20).toString('base64'));
  expect(await worked.apply(STACK, RUN)).toMatchObject({
    why: expect.stringContaining('too large for secrets of the cluster') as string,
  });
  expect(cluster.calls.slice(calls)).not.toContain('POST jobs');
});

test.each([
  ['POST jobs', 429],
  ['POST jobs', 'cut'],
  ['POST secrets', 503],
  ['POST secrets', 'cut'],
  ['PATCH jobs', 'cut'],
  ['GET pods', 500],
  ['WATCH pods', 'half'],
  ['WATCH pods', 410],
  ['GET log', 'half'],
  ['GET log', 400],
  ['DELETE jobs', 'cut'],
] as const)('%s that fails with %s is made again, and nothing happens twice', async (on, answer) => {
  let pods = 0;
  cluster.script = (pod) => {
    pods += 1;
    succeeds(PLANNED, 'plan')(pod);
  };
  cluster.fail(on, answer);
  const { work, files } = worker();
  expect(await work.plan(STACK, RUN)).toEqual(PLANNED);
  expect(readFileSync(files.log('preview'), 'utf8')).toBe('one\ntwo\n');
  expect([pods, cluster.jobs.size]).toEqual([1, 0]);
});

test('a watch whose version is too old begins again', async () => {
  cluster.expireWatch();
  cluster.script = (pod) => {
    pod.wait('ContainerCreating');
    // The second list sees the pod run.
    void called('WATCH pods')
      .then(() => called('GET pods', cluster.calls.length))
      .then(() => succeeds(PLANNED, 'plan')(pod));
  };
  expect(await worker().work.plan(STACK, RUN)).toEqual(PLANNED);
});

const NEVER = 'its pod did not start';
test.each<[string, (pod: FakePod) => void, string]>([
  [
    'an image that is not there',
    (pod) => pod.wait('ImagePullBackOff', 'not found'),
    `${NEVER}: ImagePullBackOff: not found`,
  ],
  [
    'an image that is not there for the container that fetches',
    (pod) =>
      pod.set({
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'source', state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } },
        ],
        containerStatuses: [{ name: 'run', state: { waiting: { reason: 'PodInitializing' } } }],
      }),
    `${NEVER}: ImagePullBackOff: not found`,
  ],
  [
    'a container that fetches and dies',
    (pod) =>
      pod.end(1, {
        containerStatuses: [{ name: 'run', state: { waiting: { reason: 'PodInitializing' } } }],
        initContainerStatuses: [
          { name: 'source', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
        ],
      }),
    'OOMKilled, exit code 137',
  ],
  [
    'an image that is root',
    (pod) => pod.wait('CreateContainerConfigError', 'is root'),
    `${NEVER}: CreateContainerConfigError: is root`,
  ],
  [
    'a pod that is evicted',
    (pod) => {
      pod.run();
      pod.log('working');
      pod.end(137, { reason: 'Evicted', message: 'low on memory' });
    },
    'its pod ended without a result: Evicted: low on memory: working',
  ],
  [
    'a pod without memory',
    (pod) => {
      pod.run();
      pod.end(137, {
        containerStatuses: [{ name: 'run', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }],
      });
    },
    'its pod ended without a result: OOMKilled, exit code 137',
  ],
  [
    'a pod that a person deletes early',
    (pod) => {
      pod.run();
      cluster.deletePod(pod);
    },
    'its job failed: Job has reached the specified backoff limit',
  ],
  [
    'a pod that a person deletes',
    (pod) => {
      pod.run();
      const seen = cluster.calls.length;
      void called('WATCH pods', seen).then(() => cluster.deletePod(pod));
    },
    'its pod was deleted',
  ],
  [
    'an image of another version',
    (pod) => {
      pod.run();
      pod.log('unknown flag --pod-work');
      pod.end(2);
    },
    'its pod ended without a result: exit code 2: unknown flag --pod-work',
  ],
  [
    'a result of another form',
    (pod) => succeeds({ t: 'planned', digest: 7 })(pod),
    'its pod gave a result of another form',
  ],
])('%s: a plan fails, and an operation is one that died', async (_name, script, why) => {
  cluster.script = script;
  const failed = await worker().work.plan(STACK, RUN);
  expect(failed).toMatchObject({ t: 'failed', why: expect.stringContaining(why) as string });
  const { work, said } = worker();
  expect(await work.apply(STACK, RUN)).toMatchObject({ t: 'stopped', isDead: true });
  expect(said.join()).toContain('no result of apply');
  expect(await work.look(STACK, RUN)).toBe('unknown');
});

test('an agent that died leaves a job: the next one waits for its end before it begins', async () => {
  const steps: string[] = [];
  let isFirst = true;
  cluster.script = (pod) => {
    if (!isFirst) return succeeds({ t: 'done' })(pod);
    isFirst = false;
    pod.run();
    pod.onTerm = () => setTimeout(() => (steps.push('ended'), pod.end(143)), 50);
  };
  const first = worker();
  const lost = first.work.apply(STACK, RUN);
  await called('GET log');
  // Its process is gone without a word to the cluster.
  cluster.fail('DELETE jobs', 403);
  first.executor.kill();
  expect(await lost).toMatchObject({ t: 'stopped' });
  expect(cluster.jobs.size).toBe(1);
  const { work } = worker();
  expect(await work.recover(STACK, RUN, 'resume').finally(() => steps.push('resumed'))).toEqual({
    t: 'done',
  });
  expect(steps).toEqual(['ended', 'resumed']);
});

test('an agent that stops lets the pod end its steps', async () => {
  let running = (): void => undefined;
  const runs = new Promise<void>((resolve) => (running = resolve));
  cluster.script = (pod) => {
    pod.run();
    pod.onTerm = () => {
      new WorkWriter((text) => pod.log(text.trimEnd())).result({ t: 'stopped', why: 'interrupted' });
      pod.end(0);
    };
    setImmediate(running);
  };
  const { work, executor } = worker();
  const applied = work.apply(STACK, RUN);
  await runs;
  await executor.stop();
  expect(await applied).toMatchObject({ t: 'stopped' });
  expect(cluster.jobs.size).toBe(0);
});

test('a pod that writes too much is ended', async () => {
  cluster.script = (pod) => {
    pod.run();
    for (let n = 0; n < 20; n += 1) pod.log('x'.repeat(1_000));
  };
  expect(await worker().work.plan(STACK, RUN)).toEqual({ t: 'failed', why: 'ended at its output limit' });
  expect(cluster.jobs.size).toBe(0);
});

test.each<Readonly<Record<string, string>>>([{}, { CAIRN_BACKEND_URL: 'file:///srv/states' }])(
  'with %j nothing begins',
  async (env) => {
    const end = await worker(env).work.plan(STACK, RUN);
    expect(end).toMatchObject({ why: expect.stringContaining('pods cannot reach the backend') as string });
    expect(cluster.calls).toEqual([]);
  },
);

test('a client certificate and the service account of a pod are taken', async () => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  cluster.script = succeeds(PLANNED, 'plan');
  const user = {
    'client-certificate-data': encoded(cluster.certificate),
    'client-key-data': encoded(cluster.key),
  };
  const kubeconfig = configFile(user);
  const settings = {
    ...STACK,
    cluster: { ...(STACK.cluster as object), kubeconfig } as NonNullable<AgentStack['cluster']>,
  };
  expect(await worker().work.plan(settings, RUN)).toEqual(PLANNED);
  const account = path.join(base, 'account');
  mkdirSync(account);
  for (const [name, text] of Object.entries({
    'ca.crt': cluster.certificate,
    token: `${TOKEN}\n`,
    namespace: 'runs',
  }))
    writeFileSync(path.join(account, name), text);
  const { hostname, port } = new URL(cluster.url);
  const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  const access = await readClusterAccess({ env, account });
  const api = new ClusterApi(access);
  const jobs = new ClusterJobs(api, access.namespace ?? '');
  expect(await jobs.removeLeft('none', new Set())).toBeUndefined();
  api.close();
});

test.each([
  [{ username: 'ada', password: 'x' }, {}, 'username'],
  [{ exec: { command: 'tool' } }, {}, 'exec'],
  [{ token: 'x' }, { server: 'http://127.0.0.1:1' }, 'https'],
  [{ token: 'x' }, { 'insecure-skip-tls-verify': true }, 'insecure-skip-tls-verify'],
])('a file with %j and %j is refused', async (user, more, words) => {
  const refused = await readClusterAccess({ kubeconfig: configFile(user, more), env: {} }).catch(
    (error: unknown) => error,
  );
  expect(isCairnError(refused) && refused.diagnostics[0]).toMatchObject({
    ...{ code: 'CAIRN-AGENT-INVALID', summary: expect.stringContaining(words) as string },
  });
});

test('a token that the server does not know is named', async () => {
  const kubeconfig = configFile({ token: 'other' });
  const settings = {
    ...STACK,
    cluster: { ...(STACK.cluster as object), kubeconfig } as NonNullable<AgentStack['cluster']>,
  };
  const { work, files } = worker();
  expect(await work.plan(settings, RUN)).toMatchObject({
    t: 'failed',
    why: expect.stringContaining('(401)') as string,
  });
  expect(existsSync(files.plan)).toBe(false);
});
