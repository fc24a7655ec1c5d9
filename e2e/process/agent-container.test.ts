import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';
import { giveDocker } from '../support/fake-docker.js';
import { giveStack } from '../support/given-stack.js';
import { until } from '../support/until.js';

/** An agent whose commands run in containers, by a command line that checks each word and outlives its client. */

jest.setTimeout(300_000);

const AGENT = `
state: agent-state
environment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, GIT_CEILING_DIRECTORIES]
executor: { kind: container, image: "cairn:1", mounts: [state] }
stacks:
- stack: dev
  source: { directory: project }
  limits: { memoryMiB: 512 }
  policy: { rules: [{ kinds: [create], then: apply }] }
`;

const onLinux = process.platform === 'linux' ? test : test.skip;

/** A command, and one that waits in its first container while there is a file `pause`. */
const PROGRAM = `
import { LocalCommand } from '@cairn/provider-local';
const a = new LocalCommand('a', { create: 'exec sh effect.sh create a', delete: 'true' });
new LocalCommand('b', { create: a.stdout.apply(async (text) => {
  const { existsSync, writeFileSync } = await import('node:fs');
  if (existsSync('pause') && !existsSync('paused')) {
    writeFileSync('paused', String(process.pid));
    while (existsSync('pause')) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return 'exec sh effect.sh create b';
}), delete: 'true' }, { dependsOn: a });
`;

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

function boxWith(): { readonly box: Sandbox } & ReturnType<typeof giveDocker> {
  const box = sandbox({ 'index.ts': PROGRAM, 'effect.sh': EFFECT });
  boxes.push(box);
  box.write('../agent.yaml', AGENT);
  giveStack(box);
  return { box, ...giveDocker(box) };
}

const FILE = ['--config', '../agent.yaml'];
const ONCE = ['agent', '--once', ...FILE];

onLinux('every command of a stack runs in a container', async () => {
  const { box, env, calls } = boxWith();
  expectOk(await box.cairn(['request', 'up', ...FILE]));
  expectOk(await box.process(ONCE, { env }));
  expect(effectsOf(box)).toEqual(['create a', 'create b']);
  const commands = calls().map(({ words }) => words[words.indexOf('cairn:1') + 1]);
  expect(commands).toEqual(['preview', 'up']);
  const all = JSON.stringify(calls().map(({ words }) => words));
  expect(all).not.toContain('test passphrase');
  expect(all).toContain('"--memory","536870912"');
  expect(expectOk(await box.cairn(['agent', 'runs', ...FILE])).stdout).toContain('succeeded');
});

onLinux(
  'a container that outlives its agent is removed by the next one, and nothing is done twice',
  async () => {
    const { box, env, calls } = boxWith();
    box.write('pause', '');
    expectOk(await box.cairn(['request', 'up', ...FILE]));
    const first = box.start(ONCE, { env });
    await first.shown('is applying');
    await until(() => existsSync(path.join(box.directory, 'paused')));
    first.process.kill('SIGKILL');
    await first.finished;
    expectOk(await box.process(ONCE, { env }));
    expect(calls().filter(({ call }) => call === 'rm')).toHaveLength(1);
    expect(effectsOf(box)).toEqual(['create a', 'create b']);
    expect(expectOk(await box.cairn(['agent', 'runs', ...FILE])).stdout).toMatch(
      /succeeded {2}its operation died and was resumed/,
    );
  },
);

onLinux('a repository is seen as a copy without files of git', async () => {
  const { box, env, calls } = boxWith();
  const git = (...words: readonly string[]): void => {
    const { status, stderr } = spawnSync('git', words, { cwd: box.directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'one');
  const source = `{ git: "${pathToFileURL(box.directory).href}", branch: main, local: true }`;
  box.write('../agent.yaml', AGENT.replace('{ directory: project }', source));
  expectOk(await box.cairn(['request', 'up', ...FILE]));
  expectOk(await box.process(ONCE, { env }));
  expect(expectOk(await box.cairn(['agent', 'runs', ...FILE])).stdout).toContain('succeeded');
  const copy = path.join(box.directory, '..', 'agent-state', 'programs', 'dev');
  expect(readFileSync(path.join(copy, 'effects.log'), 'utf8')).toBe('create a\ncreate b\n');
  expect(existsSync(path.join(copy, '.git'))).toBe(false);
  const mounts = calls().map(({ words }) => words.filter((word) => word.startsWith('type=bind')));
  expect(JSON.stringify(mounts)).not.toContain(path.join('agent-state', 'sources'));
  expect(mounts[0]?.map((mount) => path.relative(box.state, mount.split('target=')[1] ?? ''))).toEqual([
    ...[
      '../agent-state/programs/dev',
      expect.stringMatching(/^\.\.\/agent-state\/runs\/[^/]+\/exchange$/),
      '',
    ],
  ]);
});
