import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isCairnError } from '@cairn/diagnostics';
import { SOURCE_LIMITS } from '../src/config/agent-config.js';
import type { GitSource } from '../src/config/agent-config.js';
import { ProcessExecutor } from '../src/executors/process.js';
import { GitRepository } from '../src/sources/git.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agent-git-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};
const upstream = path.join(folder, 'upstream');
const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: upstream, env, encoding: 'utf8' }).trim();

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(upstream, file)), { recursive: true });
  writeFileSync(path.join(upstream, file), text);
}

function commit(message = 'change'): string {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
  return git('rev-parse', 'HEAD');
}

const executor = new ProcessExecutor();
let copies = 0;
function repository(
  more: Partial<GitSource> = {},
  variables: Readonly<Record<string, string>> = {},
): { readonly it: GitRepository; readonly at: string } {
  const source: GitSource = {
    t: 'git',
    url: pathToFileURL(upstream).href,
    ref: 'refs/heads/main',
    folder: 'infra',
    everyMs: 1000,
    ...more,
  };
  const at = path.join(folder, `copy-${(copies += 1)}`);
  const it = new GitRepository(source, at, (cwd, args) =>
    executor.run({
      command: 'git',
      args,
      cwd: cwd === '.' ? folder : cwd,
      env: { ...env, ...variables },
      limits: { timeMs: 60_000, outputBytes: 1 << 20, diskBytes: (source.most ?? SOURCE_LIMITS).bytes },
      folders: [at],
      log: path.join(folder, 'git.log'),
      isRead: true,
    }),
  );
  return { it, at };
}

/** Returns the cause of a failure. */
async function causeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no failure';
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    expect(thrown.diagnostics[0]?.code).toBe('CAIRN-AGENT-SOURCE');
    return thrown.diagnostics[0]?.causes?.join() ?? '';
  }
}

beforeAll(() => {
  mkdirSync(upstream);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'uploadpack.allowFilter', 'true');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  write('infra/index.ts', 'one');
  write('docs/page.md', 'one');
  commit();
});

test('a head, a checkout, and the next one', async () => {
  const { it, at } = repository();
  const first = await it.head();
  expect(first.commit).toBe(git('rev-parse', 'HEAD'));
  const out = await it.checkOut(first.commit);
  expect(out.folder).toBe(path.join(at, 'infra'));
  // The log of a run has what git wrote, and git wrote no complaint.
  expect(readFileSync(path.join(folder, 'git.log'), 'utf8')).not.toContain('fatal');
  writeFileSync(path.join(out.folder, 'left.txt'), 'of a run');
  write('infra/index.ts', 'two');
  const second = commit();
  expect((await it.head()).commit).toBe(second);
  await it.checkOut(second);
  expect(readFileSync(path.join(at, 'infra/index.ts'), 'utf8')).toBe('two');
  expect(existsSync(path.join(at, 'infra/left.txt'))).toBe(false);
  await it.checkOut(first.commit);
  expect(readFileSync(path.join(at, 'infra/index.ts'), 'utf8')).toBe('one');
});

test('a commit that does not touch the folder has the same tree', async () => {
  const { it } = repository();
  const before = await it.head();
  write('docs/page.md', 'other');
  const other = commit();
  const after = await it.head();
  expect([after.commit, after.tree]).toEqual([other, before.tree]);
  write('infra/index.ts', 'three');
  commit();
  expect((await it.head()).tree).not.toBe(before.tree);
});

test('an annotated tag is its commit', async () => {
  git('tag', '--annotate', 'v1', '--message', 'one', 'HEAD');
  expect((await repository({ ref: 'refs/tags/v1' }).it.head()).commit).toBe(git('rev-parse', 'HEAD'));
});

test('what is missing has a reason', async () => {
  expect(await causeOf(repository({ ref: 'refs/heads/none' }).it.head())).toContain('has no refs/heads/none');
  const { it } = repository({ folder: 'nowhere' });
  const { commit: head } = await it.head();
  expect(await causeOf(it.checkOut(head))).toBe('the commit has no folder nowhere');
  expect(await causeOf(it.checkOut('--upload-pack=x'))).toBe('"--upload-pack=x" is not a full commit id');
  expect(await causeOf(repository({ url: pathToFileURL(path.join(folder, 'none')).href }).it.head())).toMatch(
    /^git ls-remote: /,
  );
});

test('links out of the repository, hooks and submodules do nothing', async () => {
  const secret = path.join(folder, 'outside');
  mkdirSync(secret);
  symlinkSync(secret, path.join(upstream, 'out'));
  symlinkSync('.git', path.join(upstream, 'inner'));
  symlinkSync('infra', path.join(upstream, 'alias'));
  write('.gitmodules', `[submodule "x"]\n\tpath = x\n\turl = ${pathToFileURL(upstream).href}\n`);
  write('.gitattributes', '* filter=evil\n');
  git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},x`);
  commit();
  for (const name of ['out', 'inner']) {
    const { it } = repository({ folder: name });
    const { commit: head } = await it.head();
    expect(await causeOf(it.checkOut(head))).toBe(
      `the folder ${name} is a link that leads out of the repository`,
    );
  }
  const { it, at } = repository({ folder: 'alias' });
  const { commit: head } = await it.head();
  expect((await it.checkOut(head)).folder).toBe(path.join(at, 'infra'));
  expect(existsSync(path.join(at, 'x/.git'))).toBe(false);
  expect(existsSync(path.join(at, '.git/hooks'))).toBe(false);
});

test('a transport that runs commands is refused by git as well', async () => {
  const mark = path.join(folder, 'ran');
  expect(await causeOf(repository({ url: `ext::touch ${mark}` }).it.head())).toContain(
    "transport 'ext' not allowed",
  );
  expect(existsSync(mark)).toBe(false);
});

test('a link out of the repository in the folder of the stack is refused', async () => {
  for (const [target, isOut] of [
    ['/etc/passwd', true],
    ['../../elsewhere', true],
    ['../.git/config', true],
    ['nowhere', false],
    ['index.ts', false],
  ] as const) {
    rmSync(path.join(upstream, 'infra/link'), { force: true });
    symlinkSync(target, path.join(upstream, 'infra/link'));
    const { it } = repository();
    const cause = await causeOf(it.checkOut(commit()));
    expect(cause).toBe(isOut ? 'infra/link is a link that leads out of the repository' : 'no failure');
  }
  // A link that another link makes lead out.
  symlinkSync('../infra', path.join(upstream, 'infra/up'));
  rmSync(path.join(upstream, 'infra/link'));
  symlinkSync('up/../../x', path.join(upstream, 'infra/link'));
  const { it } = repository();
  expect(await causeOf(it.checkOut(commit()))).toContain('infra/link is a link that leads out');
  rmSync(path.join(upstream, 'infra/link'));
  rmSync(path.join(upstream, 'infra/up'));
});

test('a repository with too many files or bytes is refused before anything of it runs', async () => {
  for (let at = 0; at < 20; at += 1) write(`infra/many/${at}`, 'x');
  const many = commit();
  const few = repository({ most: { files: 20, bytes: 1 << 30 } });
  expect(await causeOf(few.it.checkOut(many))).toBe('the commit has more than 20 files');
  expect(existsSync(path.join(few.at, 'infra'))).toBe(false);
  writeFileSync(path.join(upstream, 'infra/zeros'), Buffer.alloc(4 << 20));
  const large = commit();
  // It is small on its way, and large once it is checked out.
  const small = repository({ most: { files: 1000, bytes: 2 << 20 } });
  expect(await causeOf(small.it.checkOut(large))).toBe('the repository is larger than 2097152 bytes');
  rmSync(path.join(upstream, 'infra/many'), { recursive: true });
  rmSync(path.join(upstream, 'infra/zeros'));
  expect(await causeOf(repository({ most: { files: 1000, bytes: 2 << 20 } }).it.checkOut(commit()))).toBe(
    'no failure',
  );
});

test('a .git that a program made a file leads nowhere', async () => {
  const { it, at } = repository();
  const { commit: head } = await it.head();
  await it.checkOut(head);
  const foreign = path.join(folder, 'foreign');
  execFileSync('git', ['init', '--quiet', foreign], { env });
  rmSync(path.join(at, '.git'), { recursive: true });
  writeFileSync(path.join(at, '.git'), `gitdir: ${foreign}/.git\n`);
  await it.checkOut(head);
  expect(statSync(path.join(at, '.git')).isDirectory()).toBe(true);
  expect(readdirSync(path.join(foreign, '.git/objects')).sort()).toEqual(['info', 'pack']);
});

test('submodules are fetched when asked, and never from a local address', async () => {
  const library = path.join(folder, 'library');
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', library], { env });
  const inLibrary = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: library, env, encoding: 'utf8' }).trim();
  inLibrary('config', 'uploadpack.allowFilter', 'true');
  inLibrary('config', 'uploadpack.allowAnySHA1InWant', 'true');
  writeFileSync(path.join(library, 'lib.ts'), 'library');
  inLibrary('add', '--all');
  inLibrary('commit', '--quiet', '--message', 'one');
  git('update-index', '--add', '--cacheinfo', `160000,${inLibrary('rev-parse', 'HEAD')},infra/lib`);
  // Runs the command that git would run on a server.
  const ssh = path.join(folder, 'ssh.sh');
  writeFileSync(ssh, '#!/bin/sh\nfor word; do last=$word; done\nexec sh -c "$last"\n', { mode: 0o755 });
  const withUrl = (url: string): string => {
    writeFileSync(
      path.join(upstream, '.gitmodules'),
      `[submodule "lib"]\n\tpath = infra/lib\n\turl = ${url}\n`,
    );
    git('add', '.gitmodules');
    git('commit', '--quiet', '--message', url);
    return git('rev-parse', 'HEAD');
  };
  const local = withUrl(pathToFileURL(library).href);
  const refused = repository({ submodules: true }, { GIT_SSH: ssh });
  expect(await causeOf(refused.it.checkOut(local))).toMatch(/^git submodule: /);
  expect(existsSync(path.join(refused.at, 'infra/lib/lib.ts'))).toBe(false);
  const remote = withUrl(`ssh://git@git.example${library}`);
  const asked = repository({ submodules: true }, { GIT_SSH: ssh });
  await asked.it.checkOut(remote);
  expect(readFileSync(path.join(asked.at, 'infra/lib/lib.ts'), 'utf8')).toBe('library');
  const unasked = repository({}, { GIT_SSH: ssh });
  await unasked.it.checkOut(remote);
  expect(existsSync(path.join(unasked.at, 'infra/lib/lib.ts'))).toBe(false);
});
