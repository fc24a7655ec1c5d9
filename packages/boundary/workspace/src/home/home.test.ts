import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isName } from '@cairn/addresses';
import { envFlag, envVar } from '../env.js';
import { parseProject } from '../project/parse-project.js';
import type { Project } from '../project/project.js';
import { chooseBackend } from './backend-choice.js';
import { credentialsPath, storeLogin, logOut, logOutOfAll, readCredentials } from './credentials.js';
import type { UserContext } from './home.js';
import { defaultBackendUrl, homeDirectory } from './home.js';
import { storeSelectedStack, selectedStack, selectionPath } from './selected-stack.js';
import { serviceLogin, storedLogin } from './service-login.js';

let userHome: string;
beforeEach(async () => {
  userHome = await mkdtemp(join(tmpdir(), 'cairn-home-'));
});
afterEach(async () => {
  await rm(userHome, { recursive: true, force: true });
});
const context = (env: Record<string, string> = {}): UserContext => ({ env, userHome });
const project = (extra = ''): Project =>
  parseProject(`name: shop\n${extra}`, {
    file: '/p/Pulumi.yaml',
    directory: '/p',
    base: 'Pulumi',
    extension: 'yaml',
  });

describe('environment [CFG-14]', () => {
  test.each([
    [{ PULUMI_X: 'p' }, 'p'],
    [{ CAIRN_X: 'c', PULUMI_X: 'p' }, 'c'],
    [{ CAIRN_X: '', PULUMI_X: 'p' }, ''],
    [{}, undefined],
  ])('%j', (env, expected) => {
    expect(envVar(env, 'X')).toBe(expected);
  });

  test.each([
    ['1', true],
    ['TRUE', true],
    ['yes', false],
    ['0', false],
    ['', false],
  ])('flag %j is %s', (value, expected) => {
    expect(envFlag({ PULUMI_X: value }, 'X')).toBe(expected);
  });
});

describe("Pulumi's login and selection, where Cairn has none [CFG-11] [CFG-13]", () => {
  const cairnProject = (): Project =>
    parseProject('name: shop\n', {
      file: '/p/Cairn.yaml',
      directory: '/p',
      base: 'Cairn',
      extension: 'yaml',
    });
  const pulumi = async (name: string, value: object): Promise<void> => {
    const file = join(userHome, '.pulumi', name);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, JSON.stringify(value));
  };
  const selection = (): string => relative(join(userHome, '.cairn'), selectionPath(context(), project()));
  const any = (): boolean => true;

  test('the login is used until Cairn has one', async () => {
    await pulumi('credentials.json', { current: 'file:///x' });
    expect(await chooseBackend(context(), project())).toMatchObject({
      url: 'file:///x',
      origin: 'pulumi-login',
    });
    expect(await chooseBackend(context(), cairnProject())).toMatchObject({ origin: 'pulumi-login' });
    expect(await chooseBackend(context({ CAIRN_HOME: join(userHome, 'own') }), project())).toMatchObject({
      origin: 'default',
    });
    await storeLogin(context(), 'file:///y');
    expect(await chooseBackend(context(), project())).toMatchObject({ url: 'file:///y', origin: 'login' });
    const given = context({ CAIRN_DEFAULT_BACKEND_URL: 'file:///z' });
    expect(await chooseBackend(given, project())).toMatchObject({ url: 'file:///z', origin: 'login' });
    const named = { ...project(), backendUrl: 'file:///named' };
    expect(await chooseBackend(given, named)).toMatchObject({ url: 'file:///named', origin: 'project' });
  });

  test.each([
    ["a project of Pulumi's", project, 'pulumi-login'],
    ["a project of Cairn's", cairnProject, 'default'],
    ['no project', () => undefined, 'default'],
  ])('a login to a service, in %s', async (_where, where, origin) => {
    await pulumi('credentials.json', { current: 'https://api.example.com' });
    expect((await chooseBackend(context(), where())).origin).toBe(origin);
  });

  test('a file of logins that cannot be read is no login', async () => {
    await pulumi('credentials.json', ['what is this']);
    expect((await chooseBackend(context(), project())).origin).toBe('default');
  });

  test('the selection counts on the backend of the login, until Cairn has one', async () => {
    await pulumi('credentials.json', { current: 'file:///x' });
    await pulumi(selection(), { stack: 'organization/shop/one' });
    expect(await selectedStack(context(), project(), 'file:///x', any)).toBe('organization/shop/one');
    expect(await selectedStack(context(), project(), 'file:///y', any)).toBeUndefined();
    await storeSelectedStack(context(), project(), 'file:///x', 'organization/shop/two');
    expect(await selectedStack(context(), project(), 'file:///x', any)).toBe('organization/shop/two');
  });
});

describe('home [CFG-11] [CFG-13]', () => {
  test.each<[Record<string, string>, string, string]>([
    [{}, '<home>/.cairn', 'file://~/.cairn'],
    [{ PULUMI_HOME: '/ph' }, '/ph', 'file:///ph'],
    [{ CAIRN_HOME: '/c?h%', PULUMI_HOME: '/ph' }, '/c?h%', 'file:///c%3Fh%25'],
    [{ CAIRN_HOME: '' }, '<home>/.cairn', 'file://~/.cairn'],
  ])('%j', (env, home, url) => {
    expect(homeDirectory(context(env))).toBe(home.replace('<home>', userHome));
    expect(defaultBackendUrl(context(env))).toBe(url);
  });
});

describe('credentials [CFG-12]', () => {
  const text = (): Promise<string> => readFile(credentialsPath(context()), 'utf8');

  test('nobody is logged in at first, nor with an empty file', async () => {
    expect(await readCredentials(context())).toMatchObject({ current: undefined });
    await mkdir(homeDirectory(context()));
    await writeFile(credentialsPath(context()), '');
    expect((await readCredentials(context())).current).toBeUndefined();
  });

  test('login writes an empty account and makes it current', async () => {
    await storeLogin(context(), 'file://~');
    expect(await text()).toBe(
      '{\n    "current": "file://~",\n    "accessTokens": {\n        "file://~": ""\n    },\n    "accounts": {\n        "file://~": {\n            "lastValidatedAt": "0001-01-01T00:00:00Z"\n        }\n    }\n}',
    );
    expect((await stat(credentialsPath(context()))).mode & 0o777).toBe(0o600);
    expect(await readdir(homeDirectory(context()))).toEqual(['credentials.json']);
  });

  test('accounts of others, and keys nobody knows, are kept', async () => {
    await mkdir(homeDirectory(context()));
    const theirs = {
      current: 'https://api',
      accessTokens: { 'https://api': 'tok' },
      accounts: { 'https://api': { accessToken: 'tok', username: 'ann' } },
      future: [1],
    };
    await writeFile(credentialsPath(context()), JSON.stringify(theirs));
    await storeLogin(context(), 's3://b?x=1&y=<z>');
    expect(await text()).toContain('"s3://b?x=1\\u0026y=\\u003cz\\u003e"');
    expect(await logOut(context(), 's3://b?x=1&y=<z>')).toBe(true);
    expect(JSON.parse(await text())).toEqual({ ...theirs, current: undefined });
    await storeLogin(context(), 'https://api');
    expect(JSON.parse(await text())).toEqual(theirs);
    expect(await logOut(context(), 'never')).toBe(false);
    await logOutOfAll(context());
    expect(JSON.parse(await text())).toEqual({ future: [1] });
  });

  test('a login to a service is found by its address, after a token of the environment and before that of Pulumi', async () => {
    const url = 'https://states';
    const login = { accessToken: 'tok', username: 'ann', organizations: ['acme'] };
    const stated = (token: string) => serviceLogin(context({ CAIRN_ACCESS_TOKEN: token }), url);
    expect(await serviceLogin(context(), url)).toBeUndefined();
    await mkdir(join(userHome, '.pulumi'));
    const theirs = { accounts: { [url]: { accessToken: 'theirs', username: 'bob' } } };
    await writeFile(join(userHome, '.pulumi/credentials.json'), JSON.stringify(theirs));
    expect(await serviceLogin(context(), url)).toMatchObject({ accessToken: 'theirs', username: 'bob' });
    await storeLogin(context(), url, storedLogin(login, new Date(0)));
    expect(await serviceLogin(context(), url)).toEqual(login);
    expect(await serviceLogin(context(), 'https://others')).toBeUndefined();
    expect(await stated('')).toEqual(login);
    expect(await stated('tok')).toEqual(login);
    expect(await stated('new')).toEqual({ accessToken: 'new', username: undefined, organizations: [] });
    const mode = (await stat(credentialsPath(context()))).mode & 0o777;
    expect([mode, await chooseBackend(context(), undefined, `${url}//`)]).toMatchObject([0o600, { url }]);
  });

  test('the last logout leaves no file', async () => {
    await storeLogin(context(), 'file://~');
    await logOutOfAll(context());
    expect(await readdir(homeDirectory(context()))).toEqual([]);
  });

  test.each(['{"envelope":"AAAA"}', 'binary', '[1]'])(
    '%s is not understood, and not overwritten',
    async (content) => {
      await mkdir(homeDirectory(context()));
      await writeFile(credentialsPath(context()), content);
      await expect(storeLogin(context(), 'file://~')).rejects.toMatchObject({
        diagnostics: [{ code: 'CAIRN-CONFIG-INVALID' }],
      });
      expect(await text()).toBe(content);
    },
  );

  test('the directory can be named', () => {
    expect(credentialsPath(context({ PULUMI_CREDENTIALS_PATH: '/elsewhere' }))).toBe(
      '/elsewhere/credentials.json',
    );
  });
});

describe('selected stack [CFG-11]', () => {
  const select = (url: string, stack: string | undefined): Promise<void> =>
    storeSelectedStack(context(), project(), url, stack);
  const selected = (url: string, env: Record<string, string> = {}): Promise<string | undefined> =>
    selectedStack(context(env), project(), url, isName);

  test('is kept by project file and backend', async () => {
    await select('file://~', 'organization/shop/dev');
    await select('file:///b', 'organization/shop/prod');
    expect([await selected('file://~'), await selected('file:///b'), await selected('file:///c')]).toEqual([
      'organization/shop/dev',
      'organization/shop/prod',
      undefined,
    ]);
    const path = selectionPath(context(), project());
    // The digest is the sha1 of /p/Pulumi.yaml.
    expect(path).toBe(
      join(userHome, '.cairn/workspaces/shop-3cb4967322f36d7a491f46d51d197b172738f193-workspace.json'),
    );
    expect(await readFile(path, 'utf8')).toBe(
      '{\n    "stacks": {\n        "file:///b": "organization/shop/prod",\n        "file://~": "organization/shop/dev"\n    }\n}',
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('the older single selection counts while it can be a name, and clearing clears it', async () => {
    const path = selectionPath(context(), project());
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, '{"stack":"dev"}');
    expect(await selected('file://~')).toBe('dev');
    await writeFile(path, '{"stack":"not a name!"}');
    expect(await selected('file://~')).toBeUndefined();
    await select('file://~', 'dev');
    expect(await selected('file://~')).toBe('dev');
    await select('file://~', undefined);
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.each<[Record<string, string>, string | undefined]>([
    [{ PULUMI_STACK: 'prod' }, 'prod'],
    [{ CAIRN_STACK: 'c', PULUMI_STACK: 'prod' }, 'c'],
    [{ PULUMI_STACK: '' }, undefined],
  ])('%j wins', async (env, expected) => {
    await select('file://~', 'dev');
    expect(await selected('file://~', env)).toBe(expected);
  });

  test('a project name cannot lead outside', () => {
    const odd = parseProject('name: ../../x', {
      file: '/p/Pulumi.yaml',
      directory: '/p',
      base: 'Pulumi',
      extension: 'yaml',
    });
    expect(selectionPath(context(), odd).startsWith(join(userHome, '.cairn/workspaces/..-..-x-'))).toBe(true);
  });
});

describe('choosing the backend [CFG-13]', () => {
  test.each<[string | undefined, Record<string, string>, string, string | undefined, string, string]>([
    [
      's3://flag',
      { PULUMI_BACKEND_URL: 's3://env' },
      'backend: { url: s3://project }',
      's3://login',
      's3://flag',
      'flag',
    ],
    [
      undefined,
      { PULUMI_BACKEND_URL: 's3://env' },
      'backend: { url: s3://project }',
      's3://login',
      's3://env',
      'environment',
    ],
    [
      undefined,
      { CAIRN_BACKEND_URL: 's3://c', PULUMI_BACKEND_URL: 's3://env' },
      '',
      undefined,
      's3://c',
      'environment',
    ],
    [undefined, {}, 'backend: { url: s3://project }', 's3://login', 's3://project', 'project'],
    [undefined, {}, '', 's3://login', 's3://login', 'login'],
    [undefined, {}, '', undefined, 'file://~/.cairn', 'default'],
  ])('%#: flag %s, env %j', async (flag, env, yaml, login, url, origin) => {
    if (login !== undefined) await storeLogin(context(), login);
    expect(await chooseBackend(context(env), project(yaml), flag)).toEqual({
      url,
      origin,
      createDirectory: origin === 'default',
    });
  });

  test('logged in to the default, its directory is still made', async () => {
    await storeLogin(context(), 'file://~/.cairn');
    expect(await chooseBackend(context(), undefined)).toEqual({
      url: 'file://~/.cairn',
      origin: 'login',
      createDirectory: true,
    });
  });
});
