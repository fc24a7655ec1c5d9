import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Programs and repositories that misbehave: each run ends with its cause and a next action, and others continue. */

jest.setTimeout(300_000);

const SECRET = 'hunter2-planted-secret';

/** One program; the stack says how it misbehaves. Each one begins its effect in the preview. */
const PROGRAM = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { getStack } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
const forever = () => new Promise((resolve) => setTimeout(resolve, 600_000));
const programs = {
  good: () => undefined,
  endless: async () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
    await forever();
  },
  loud: async () => {
    for (;;) {
      console.log('x'.repeat(10_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  killer: async () => {
    process.kill(process.ppid, 'SIGKILL');
    await forever();
  },
  forks: () => {
    const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    child.unref();
    writeFileSync('fork.pid', String(child.pid));
  },
  filler: async () => {
    for (let at = 0; ; at += 1) {
      writeFileSync(process.env.TMPDIR + '/' + at, Buffer.alloc(65_536));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  pieces: async () => {
    process.stdout.write('hunter2-planted');
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.stdout.write('-secret\\n');
    throw new Error('${SECRET}'.split('').join(''));
  },
};
await programs[getStack()]();
new LocalFile('page', { path: getStack() + '.txt', content: 'here' });
`;

const DIRECTORY = ['good', 'endless', 'loud', 'killer', 'forks', 'filler', 'pieces'] as const;
const LIMITS: Partial<Record<(typeof DIRECTORY)[number], string>> = {
  endless: 'limits: { time: 15s }',
  loud: 'limits: { outputMiB: 1 }',
  filler: 'limits: { diskMiB: 1 }',
};
const GIT = {
  linked: 'branch: linked',
  many: 'branch: main, files: 3',
  modules: 'branch: modules, submodules: true',
  gone: 'branch: gone',
  nowhere: 'branch: main, folder: nowhere',
} as const;

let box: Sandbox;
afterAll(() => box.remove());

function makeRepository(): string {
  const repository = path.join(box.directory, 'repository');
  mkdirSync(repository);
  const env = {
    PATH: process.env['PATH'],
    HOME: box.home,
    ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' },
    ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
  };
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: repository, env, encoding: 'utf8' }).trim();
  const commit = (): void => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'change');
  };
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'uploadpack.allowFilter', 'true');
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(path.join(repository, name), name);
  commit();
  git('checkout', '--quiet', '-b', 'linked');
  symlinkSync('/etc/passwd', path.join(repository, 'users'));
  commit();
  git('checkout', '--quiet', '-b', 'modules', 'main');
  writeFileSync(
    path.join(repository, '.gitmodules'),
    `[submodule "x"]\n\tpath = x\n\turl = ${pathToFileURL(repository).href}\n`,
  );
  git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'main')},x`);
  git('add', '.gitmodules');
  git('commit', '--quiet', '--message', 'modules');
  git('checkout', '--quiet', '--force', 'main');
  return pathToFileURL(repository).href;
}

test('bad programs and repositories fail with a cause and a next action, and others go on', async () => {
  box = sandbox({ 'index.ts': PROGRAM });
  for (const stack of DIRECTORY) giveStack(box, stack);
  const url = makeRepository();
  box.write(
    'agent.yaml',
    `
state: agent-state
places: 3
environment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, GIT_CEILING_DIRECTORIES, PLANTED_TOKEN]
policies: { creates: { rules: [{ kinds: [create], then: apply }] } }
stacks:
${DIRECTORY.map((stack) => `- { stack: ${stack}, source: { directory: . }, policy: creates, ${LIMITS[stack] ?? ''} }`).join('\n')}
${Object.entries(GIT)
  .map(
    ([stack, words]) =>
      `- { stack: ${stack}, source: { git: "${url}", local: true, ${words} }, onCommit: nothing }`,
  )
  .join('\n')}
`,
  );
  for (const stack of [...DIRECTORY, ...Object.keys(GIT)])
    expectOk(await box.cairn(['request', 'up', '--stack', stack]));
  expectOk(await box.process(['agent', '--once'], { env: { PLANTED_TOKEN: SECRET } }));

  const { runs } = JSON.parse(expectOk(await box.cairn(['agent', 'runs', '--json'])).stdout) as {
    runs: readonly { readonly id: string; readonly stack: string; status: string; why: readonly string[] }[];
  };
  const ends = Object.fromEntries(
    runs.map(({ stack, status, why }) => [stack, `${status}: ${why.join('; ')}`]),
  );
  const look = 'Look at the log of the run';
  expect(ends).toEqual({
    good: expect.stringMatching(/^succeeded: 1 create apply/),
    endless: expect.stringMatching(new RegExp(`^failed: ended at its time limit of 15 s. ${look}`)),
    loud: expect.stringMatching(new RegExp(`^failed: ended at its output limit of 1048576 bytes. ${look}`)),
    killer: expect.stringMatching(new RegExp(`^failed: ended by signal SIGKILL. ${look}`)),
    forks: expect.stringMatching(/^succeeded: /),
    filler: expect.stringMatching(new RegExp(`^failed: ended at its disk limit of 1048576 bytes. ${look}`)),
    pieces: expect.stringMatching(/^failed: /),
    linked: expect.stringMatching(/^failed: .*users is a link that leads out of the repository. Replace /),
    many: expect.stringMatching(/^failed: .*the commit has more than 3 files. Keep /),
    modules: expect.stringMatching(
      /^failed: .*git submodule: .* Give each submodule an https or ssh address/,
    ),
    gone: expect.stringMatching(/^failed: .* has no refs\/heads\/gone. Try `git ls-remote /),
    nowhere: expect.stringMatching(/^failed: .*the commit has no folder nowhere. /),
  });
  const notices = expectOk(await box.cairn(['agent', 'notices'])).stdout;
  const failed = Object.entries(ends).filter(([, end]) => end.startsWith('failed'));
  for (const [stack] of failed) expect(notices).toMatch(new RegExp(`run-failed .*stack=${stack} `));

  // The fork has ended with its command, and the secret is in no file of the agent.
  const fork = readFileSync(path.join(box.directory, 'fork.pid'), 'utf8');
  expect(spawnSync('ps', ['-o', 'stat=', '-p', fork], { encoding: 'utf8' }).stdout.trim()).toMatch(
    /^(Z.*)?$/,
  );
  const state = path.join(box.directory, 'agent-state');
  for (const entry of readdirSync(state, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\.(log|json|jsonl)$/.test(entry.name)) {
      const text = readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
      if (text.includes(SECRET)) throw new Error(`${entry.parentPath}/${entry.name} has the secret`);
    }
});
