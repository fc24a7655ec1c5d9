import type { ClaimedRun } from '@cairn/http-api';
import { isCairnError } from '@cairn/diagnostics';
import { parseExecutorFile } from '../config/read-executor-file.js';
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

test.each([
  [{ executorImage: 'cairn:2' }, undefined, 'cairn:2'],
  [{ executorImage: { reference: 'cairn:2' } }, undefined, 'cairn:2'],
  [{ executorImage: 'cairn:2' }, { kind: 'container', image: 'cairn:1' }, 'cairn:1'],
  [{ executorImage: 'cairn:2' }, { kind: 'container' }, 'cairn:2'],
])(
  "the image of Pulumi's %j is that of containers, with the executor %j",
  (executorContext, executor, image) => {
    const { settings, ...run } = claimed(executor ?? {});
    const own = settings['cairn'] as { source: object };
    const cairn = executor === undefined ? { source: own.source } : own;
    const read = { ...run, settings: { cairn, executorContext } };
    const { stack } = claimedStack(read, 'https://state.example', false, {});
    expect(stack.container?.image).toBe(image);
  },
);

test('an image with credentials is refused', () => {
  const executorImage = { reference: 'cairn:2', credentials: { username: 'a', password: { secret: 'b' } } };
  const { settings, ...run } = claimed({ kind: 'process' });
  const read = { ...run, settings: { ...settings, executorContext: { executorImage } } };
  expect(() => claimedStack(read, 'https://state.example', false, {})).toThrow('their image has credentials');
});

test('pods of a run of a service see no files of the machine of the agent', () => {
  const run = claimed({ kind: 'kubernetes', image: 'cairn:1' });
  const { stack, env } = claimedStack(run, 'https://state.example', false, {
    CAIRN_OIDC_TOKEN_FILE: '/here',
  });
  expect(stack.cluster).toEqual({ image: 'cairn:1', user: { uid: 1000, gid: 1000 } });
  expect(env).not.toHaveProperty('CAIRN_OIDC_TOKEN_FILE');
  const named = claimed({ kind: 'kubernetes', image: 'cairn:1', namespace: 'kube-system' });
  expect(() => claimedStack(named, 'https://state.example', false, {})).toThrow();
});

test('settings name policy packs of the program; those of the machine need an agent with local sources', () => {
  const read = (pack: string, isLocal: boolean): unknown => {
    const { settings, ...run } = claimed({ kind: 'process' });
    const own = { ...(settings['cairn'] as object), packs: [pack] };
    return claimedStack({ ...run, settings: { cairn: own } }, 'https://s', isLocal, {}).stack.packs;
  };
  expect(read('../rules', false)).toEqual(['../rules']);
  expect(read('/srv/rules', true)).toEqual(['/srv/rules']);
  expect(() => read('/srv/rules', false)).toThrow('their packs are folders of the machine');
});

test('settings name an archive of a bucket; a file or another server needs an agent with local sources', () => {
  const read = (archive: string, isLocal: boolean): unknown => {
    const run = { ...claimed({}), settings: { cairn: { source: { archive, folder: 'infra' } } } };
    return claimedStack(run, 'https://state.example', isLocal, {}).stack.source;
  };
  const url = 's3://programs/shop.tar.gz';
  expect(read(url, false)).toMatchObject({ t: 'archive', url, folder: 'infra', everyMs: 60_000 });
  for (const each of ['file:///srv/shop.tar.gz', `${url}?endpoint=http://10.0.0.1`]) {
    expect(() => read(each, false)).toThrow('local: true');
    expect(read(each, true)).toMatchObject({ url: each });
  }
});

test('the stack of a run of a review stack copies another one, and is there', () => {
  const run = { ...claimed({ kind: 'process' }), stack: 'dev-pr-1', copies: 'dev' };
  const { stack } = claimedStack(run, 'https://state.example', false, {});
  expect([stack.stack, stack.copies, stack.isMade]).toEqual(['acme/shop/dev-pr-1', 'dev', true]);
});

const withAuth = (gitAuth: object): ClaimedRun => ({
  ...claimed({ kind: 'process' }),
  settings: {
    sourceContext: { git: { repoUrl: 'https://git.example/shop.git', branch: 'main', gitAuth } },
    operationContext: { environmentVariables: { A: '1' } },
  },
});

test.each([
  [{ accessToken: { secret: 't0p' } }, 'x-access-token:t0p'],
  [{ basicAuth: { userName: 'ada', password: { secret: 'p:w' } } }, 'ada:p:w'],
  [{ accessToken: null, basicAuth: null }, undefined],
])('credentials for git in %j reach git, and no program', (gitAuth, value) => {
  const { stack, env } = claimedStack(withAuth(gitAuth), 'https://state.example', false, {});
  const { credentials } = stack.source as { readonly credentials?: string };
  expect(credentials === undefined ? undefined : env[credentials]).toBe(value);
  expect(stack.environment).not.toContain(credentials);
  expect(stack.environment).toContain('A');
});

test.each([{ sshAuth: { sshPrivateKey: { secret: 'k' } } }, { basicAuth: { userName: 'ada' } }])(
  'other credentials for git, such as %j, are refused',
  (gitAuth) => {
    expect(() => claimedStack(withAuth(gitAuth), 'https://state.example', false, {})).toThrow(
      'none of accessToken, basicAuth',
    );
  },
);

test('the executor of the agent replaces that of the settings', () => {
  const forced = parseExecutorFile(
    'kind: container\nimage: cairn:2\nnetwork: clouds\nmounts: [ca]\n',
    '/etc/x.yaml',
  );
  for (const wanted of [{ kind: 'process' }, { kind: 'container', image: 'evil', network: 'host' }]) {
    const { stack } = claimedStack(claimed(wanted), 'https://state.example', false, {}, forced);
    expect(stack.container).toMatchObject({ image: 'cairn:2', network: 'clouds', mounts: ['/etc/ca'] });
  }
  const plain = claimedStack(claimed({ kind: 'container', image: 'x' }), 'https://s', false, {}, {});
  expect(plain.stack.container).toBeUndefined();
  expect(() => parseExecutorFile('kind: container\n', '/etc/x.yaml')).toThrow();
  expect(() => parseExecutorFile('- 1\n', '/etc/x.yaml')).toThrow();
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
      summary: expect.stringContaining('their executor has command, network, mounts, user, '),
    });
  },
);
