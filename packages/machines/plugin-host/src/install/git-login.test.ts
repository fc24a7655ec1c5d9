import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loginApart } from './git-login.js';
import { listRefs } from './git-repository.js';

test.each([
  ['https://host/o/r.git', 'https://host/o/r.git', {}],
  ['ssh://git@host/o/r.git', 'ssh://git@host/o/r.git', {}],
  ['file:///o/r', 'file:///o/r', {}],
  [
    'https://me@host:8443/o/r.git',
    'https://host:8443/o/r.git',
    {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'credential.https://host:8443.username',
      GIT_CONFIG_VALUE_0: 'me',
    },
  ],
  [
    'https://me%40work:p%25%2Fw@host/o/r.git',
    'https://host/o/r.git',
    { GIT_CONFIG_COUNT: '2', CAIRN_GIT_USER: 'me@work', CAIRN_GIT_PASSWORD: 'p%/w' },
  ],
])('git is given %s as %s', (address, url, environment) => {
  const given = loginApart(address, {});
  expect(given.url).toBe(url);
  expect(given.environment).toMatchObject(environment);
});

test('settings that the environment has stay, and a login of two lines is refused', () => {
  const before = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'x' };
  expect(loginApart('https://me@host/o/r', before).environment).toEqual({
    ...before,
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_1: 'credential.https://host.username',
    GIT_CONFIG_VALUE_1: 'me',
  });
  expect(() => loginApart('https://me:a%0Ahost=evil@host/o/r', {})).toThrow('line break');
});

describe('a server that asks who it is', () => {
  const PASSWORD = 'p%w 1';
  const directory = mkdtempSync(join(tmpdir(), 'git-login-'));
  const env = { PATH: process.env['PATH'], HOME: directory, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: directory, env: env as NodeJS.ProcessEnv, stdio: 'pipe' });
  let server: Server;
  const logins: string[] = [];
  /** Processes that had the password among their arguments while a request was under way. */
  const shown: string[] = [];
  beforeAll(async () => {
    git('init', '--quiet', 'source');
    git(
      '-C',
      'source',
      '-c',
      'user.name=x',
      '-c',
      'user.email=x@y',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'x',
    );
    git('clone', '--quiet', '--bare', 'source', 'r.git');
    git('-C', 'r.git', 'update-server-info');
    // The user's own settings are not used first.
    writeFileSync(
      join(directory, '.gitconfig'),
      '[credential]\n\thelper = "!f() { echo username=other; echo password=other; }; f"\n',
    );
    server = createServer((request, response) => {
      shown.push(...wordsOfAll().filter((words) => words.includes('p%25w') || words.includes(PASSWORD)));
      const [, given] = (request.headers.authorization ?? '').split(' ');
      const file = join(directory, (request.url ?? '').split('?')[0]?.replace('/o/', '/') ?? '');
      if (given !== undefined) logins.push(Buffer.from(given, 'base64').toString());
      if (given === undefined) response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      else if (existsSync(file) && statSync(file).isFile()) response.end(readFileSync(file));
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
    rmSync(directory, { recursive: true });
  });

  test('gets the login, which no list of processes shows', async () => {
    const { port } = server.address() as AddressInfo;
    const refs = await listRefs(`http://me%40work:p%25w%201@127.0.0.1:${port}/o/r.git`, env);
    expect([...refs.keys()]).toContain('HEAD');
    expect(new Set(logins)).toEqual(new Set([`me@work:${PASSWORD}`]));
    expect(shown).toEqual([]);
  });
});

/** Returns the arguments of every process of this machine. */
function wordsOfAll(): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
}
