import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ciBuild } from './ci-build.js';
import { originOf } from './origin.js';
import { hostedRepository } from './remote-address.js';

const folder = mkdtempSync(path.join(tmpdir(), 'cairn-origin-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ENV = { PATH: process.env['PATH'], HOME: folder, GIT_CEILING_DIRECTORIES: folder };
const PEOPLE = {
  GIT_AUTHOR_NAME: 'Ann <A.> Ünal',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Bob',
  GIT_COMMITTER_EMAIL: 'bob@example.com',
};

const git = (cwd: string, ...words: readonly string[]): string =>
  execFileSync('git', words, { cwd, env: { ...ENV, ...PEOPLE }, encoding: 'utf8' }).trim();

/** Makes a checkout on branch `main` with one commit, and a project in a folder of it. */
function checkout(name: string): string {
  const root = path.join(folder, name);
  mkdirSync(path.join(root, 'infra', 'web'), { recursive: true });
  writeFileSync(path.join(root, 'infra', 'web', 'Cairn.yaml'), 'name: web\n');
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(root, 'remote', 'add', 'origin', 'https://someone:hidden@github.com/owner/shop.git');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'The first\n\nauthor Eve <eve@example.com> 1 +0000');
  return root;
}

async function factsOf(directory: string, env: Record<string, string> = {}): Promise<object> {
  const origin = originOf(directory, { ...ENV, ...env });
  const { environment, title = origin.known.title } = await origin.asked();
  return { ...origin.known.environment, ...environment, ...(title === undefined ? {} : { title }) };
}

const PROJECT = path.join('infra', 'web');
const COMMIT = {
  'git.author': 'Ann A. Ünal',
  'git.author.email': 'ann@example.com',
  'git.committer': 'Bob',
  'git.committer.email': 'bob@example.com',
  'git.dirty': 'false',
  title: 'The first',
};
const REPOSITORY = {
  'vcs.owner': 'owner',
  'vcs.repo': 'shop',
  'vcs.kind': 'github.com',
  'vcs.root': 'infra/web',
};

describe('an operation in a git checkout knows its commit and repository', () => {
  const root = checkout('whole');
  const head = git(root, 'rev-parse', 'HEAD');
  const onMain = { ...COMMIT, ...REPOSITORY, 'git.head': head, 'git.headName': 'refs/heads/main' };

  test('from loose files', async () => {
    expect(await factsOf(path.join(root, PROJECT))).toEqual(onMain);
  });

  test('and whether files were changed', async () => {
    const file = path.join(root, 'new.txt');
    writeFileSync(file, '');
    expect(await factsOf(path.join(root, PROJECT))).toEqual({ ...onMain, 'git.dirty': 'true' });
    rmSync(file);
  });

  test('in a linked checkout, on a branch of its own', async () => {
    const linked = path.join(folder, 'linked');
    git(root, 'worktree', 'add', '--quiet', '-b', 'side/one', linked);
    expect(await factsOf(path.join(linked, PROJECT))).toEqual({
      ...onMain,
      'git.headName': 'refs/heads/side/one',
    });
  });

  test('from packed refs and objects', async () => {
    git(root, 'gc', '--quiet');
    expect(existsSync(path.join(root, '.git', 'objects', head.slice(0, 2), head.slice(2)))).toBe(false);
    expect(existsSync(path.join(root, '.git', 'refs', 'heads', 'main'))).toBe(false);
    expect(await factsOf(path.join(root, PROJECT))).toEqual(onMain);
  });

  test('without git itself all but changed files and a packed commit', async () => {
    const { PATH } = { PATH: path.join(folder, 'nowhere') };
    expect(await factsOf(path.join(root, PROJECT), { PATH })).toEqual({
      ...REPOSITORY,
      'git.head': head,
      'git.headName': 'refs/heads/main',
    });
  });

  test('with HEAD at a commit the branch is the one that the CI system names', async () => {
    git(root, 'checkout', '--quiet', '--detach');
    const { 'git.headName': _, ...detached } = onMain;
    expect(await factsOf(path.join(root, PROJECT))).toEqual(detached);
    const gitlab = {
      GITLAB_CI: 'true',
      CI_COMMIT_REF_NAME: 'topic',
      CI_PIPELINE_ID: '7',
      CI_COMMIT_SHA: head,
    };
    expect(await factsOf(path.join(root, PROJECT), gitlab)).toEqual({
      ...detached,
      'git.headName': 'topic',
      'ci.system': 'GitLab CI/CD',
      'ci.build.id': '7',
      'ci.pr.headSHA': head,
    });
  });
});

test('outside of a checkout variables say what one would, and a repository without a commit is none', async () => {
  const empty = path.join(folder, 'empty');
  mkdirSync(empty);
  const env = {
    PULUMI_GIT_HEAD: 'abc',
    CAIRN_GIT_AUTHOR: 'Ann',
    CAIRN_VCS_REPO_NAME: 'shop',
    CAIRN_GIT_HEAD_NAME: '',
  };
  const facts = { 'git.head': 'abc', 'git.author': 'Ann', 'vcs.repo': 'shop' };
  expect(await factsOf(empty, env)).toEqual(facts);
  git(empty, 'init', '--quiet');
  expect(await factsOf(empty, env)).toEqual(facts);
  expect(await factsOf(empty)).toEqual({});
});

test.each([
  ['https://github.com/owner/repo.git', 'github.com owner repo'],
  ['https://user:token@github.com/owner/repo', 'github.com owner repo'],
  ['git@github.com:owner/repo.git', 'github.com owner repo'],
  ['git@github.com:owner/repo', 'github.com owner repo'],
  ['ssh://git@gitlab.example.com:2222/group/sub/repo.git', 'gitlab.example.com:2222 group sub/repo'],
  ['git@gitlab.com:group/sub/repo.git', 'gitlab.com group sub/repo'],
  ['https://org@dev.azure.com/org/project/_git/repo', 'dev.azure.com org project/_git/repo'],
  ['https://dev.azure.com/org/project/repo', 'dev.azure.com org project/_git/repo'],
  ['git@ssh.dev.azure.com:v3/org/project/repo', 'dev.azure.com org project/_git/repo'],
  ['https://org.visualstudio.com/project/_git/repo', 'dev.azure.com org project/_git/repo'],
  ['https://github.com/alone', undefined],
  ['https://github.com/', undefined],
  ['/srv/git/repo.git', undefined],
  ['file:///srv/git/repo.git', undefined],
])('a remote at %s is %s', (address, text) => {
  const found = hostedRepository(address);
  expect(found && `${found.host} ${found.owner} ${found.repository}`).toBe(text);
});

const PULL = { number: 12, pull_request: { head: { sha: 'f00', ref: 'topic' } } };

test.each<[string, Record<string, string>, object | undefined]>([
  ['nothing', {}, undefined],
  ['CI alone', { CI: 'true' }, undefined],
  ['detection turned off', { GITLAB_CI: '1', PULUMI_DISABLE_CI_DETECTION: 'true' }, undefined],
  [
    'GitHub',
    {
      ...{ GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '5', GITHUB_RUN_NUMBER: '2', GITHUB_EVENT_NAME: 'push' },
      ...{ GITHUB_REPOSITORY: 'o/r', GITHUB_SHA: 'abc', GITHUB_REF: 'refs/heads/main' },
    },
    {
      ...{
        system: 'GitHub Actions',
        id: '5',
        number: '2',
        type: 'push',
        commit: 'abc',
        branch: 'refs/heads/main',
      },
      url: 'https://github.com/o/r/actions/runs/5',
    },
  ],
  [
    'a pull request on GitHub',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: 'pull',
      GITHUB_SHA: 'abc',
    },
    { system: 'GitHub Actions', type: 'pull_request', commit: 'f00', branch: 'topic', pullRequest: '12' },
  ],
  [
    'one whose event cannot be read',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: 'torn',
      GITHUB_SHA: 'abc',
    },
    { system: 'GitHub Actions', type: 'pull_request', commit: 'abc' },
  ],
  [
    'a merge request on GitLab',
    {
      GITLAB_CI: 'true',
      CI_PIPELINE_IID: '3',
      CI_PIPELINE_SOURCE: 'push',
      CI_JOB_URL: 'u',
      CI_MERGE_REQUEST_IID: '9',
    },
    { system: 'GitLab CI/CD', number: '3', type: 'push', url: 'u', pullRequest: '9' },
  ],
  [
    'a pull request of GitHub on Azure',
    {
      ...{
        TF_BUILD: 'True',
        BUILD_BUILDID: '4',
        SYSTEM_TEAMFOUNDATIONCOLLECTIONURI: 'https://a/',
        BUILD_SOURCEVERSION: 'merge',
      },
      ...{
        SYSTEM_TEAMPROJECT: 'p',
        BUILD_REPOSITORY_PROVIDER: 'GitHub',
        SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '6',
      },
      ...{ SYSTEM_PULLREQUEST_SOURCECOMMITID: 'abc', SYSTEM_PULLREQUEST_SOURCEBRANCH: 'topic' },
    },
    {
      ...{ system: 'Azure Pipelines', id: '4', url: 'https://a/p/_build/results?buildId=4' },
      ...{ commit: 'abc', branch: 'topic', pullRequest: '6' },
    },
  ],
  [
    'Buildkite',
    { BUILDKITE: 'true', BUILDKITE_SOURCE: 'webhook', BUILDKITE_PULL_REQUEST: 'false' },
    { system: 'Buildkite', type: 'webhook' },
  ],
  [
    'Travis',
    { TRAVIS: 'true', TRAVIS_PULL_REQUEST: 'false', TRAVIS_JOB_ID: '1' },
    { system: 'Travis CI', id: '1' },
  ],
  ['Codeship', { CI_NAME: 'codeship' }, { system: 'Codeship' }],
  [
    'a system that the user names',
    { CAIRN_CI_SYSTEM: 'ours', PULUMI_CI_BUILD_ID: '8', PULUMI_PR_NUMBER: '1', GITLAB_CI: 'true' },
    { system: 'ours', id: '8', pullRequest: '1' },
  ],
])('the build of %s', (_, env, expected) => {
  const build = ciBuild(env, (file) => (file === 'pull' ? PULL : undefined));
  const told = build && Object.fromEntries(Object.entries(build).filter(([, text]) => (text ?? '') !== ''));
  expect(told).toEqual(expected);
});
