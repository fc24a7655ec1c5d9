import { envFlag, envVar } from '@cairn/workspace';
import type { Env } from '@cairn/workspace';

/** The CI build that runs an operation. An empty text is a fact that the system does not provide. */
export interface CiBuild {
  readonly system: string;
  readonly id?: string | undefined;
  readonly number?: string | undefined;
  /** Event that started it, such as `push`. */
  readonly type?: string | undefined;
  readonly url?: string | undefined;
  /** Commit that is built; the newest one for a pull request. */
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly pullRequest?: string | undefined;
}

interface CiSystem {
  readonly name: string;
  /** Names of variables; it runs us if one of them is set. */
  readonly when: readonly string[];
  /** Reads its variables; an unset variable is the empty text. `event` reads the file that describes the event. */
  readonly build?: (read: (name: string) => string, event: EventFile) => Omit<CiBuild, 'system'>;
}

/** Reads the JSON file of a path, or returns `undefined` if there is none. */
type EventFile = (path: string) => unknown;

/** CI systems by their variables, with the names and facts that other tools keep of them in history. */
const SYSTEMS: readonly CiSystem[] = [
  { name: 'AppVeyor', when: ['APPVEYOR'] },
  { name: 'AWS CodeBuild', when: ['CODEBUILD_BUILD_ARN'] },
  { name: 'Atlassian Bamboo', when: ['bamboo_planKey'] },
  {
    name: 'Atlassian Bitbucket Pipelines',
    when: ['BITBUCKET_COMMIT'],
    build: (read) => ({
      id: read('BITBUCKET_BUILD_NUMBER'),
      url: joined(
        read('BITBUCKET_GIT_HTTP_ORIGIN'),
        '/addon/pipelines/home#!/results/',
        read('BITBUCKET_BUILD_NUMBER'),
      ),
      commit: read('BITBUCKET_COMMIT'),
      branch: read('BITBUCKET_BRANCH'),
      pullRequest: read('BITBUCKET_PR_ID'),
    }),
  },
  { name: 'Azure Pipelines', when: ['TF_BUILD'], build: azureBuild },
  {
    name: 'Buildkite',
    when: ['BUILDKITE'],
    build: (read) => {
      const pull = read('BUILDKITE_PULL_REQUEST');
      return {
        id: read('BUILDKITE_BUILD_ID'),
        number: read('BUILDKITE_BUILD_NUMBER'),
        url: read('BUILDKITE_BUILD_URL'),
        type: pull === 'false' ? read('BUILDKITE_SOURCE') : 'PullRequest',
        commit: read('BUILDKITE_COMMIT'),
        branch: read('BUILDKITE_BRANCH'),
        pullRequest: pull === 'false' ? '' : pull,
      };
    },
  },
  {
    name: 'Circle CI',
    when: ['CIRCLECI'],
    build: (read) => ({
      id: read('CIRCLE_BUILD_NUM'),
      url: read('CIRCLE_BUILD_URL'),
      commit: read('CIRCLE_SHA1'),
      branch: read('CIRCLE_BRANCH'),
    }),
  },
  {
    name: 'Codefresh',
    when: ['CF_BUILD_URL'],
    build: (read) => ({
      id: read('CF_BUILD_ID'),
      type: read('CF_PULL_REQUEST_NUMBER') === '' ? 'Push' : 'PullRequest',
      url: read('CF_BUILD_URL'),
      commit: read('CF_REVISION'),
      branch: read('CF_BRANCH'),
      pullRequest: read('CF_PULL_REQUEST_NUMBER'),
    }),
  },
  { name: 'Drone', when: ['DRONE'] },
  { name: 'GitHub Actions', when: ['GITHUB_ACTIONS'], build: githubBuild },
  {
    name: 'GitLab CI/CD',
    when: ['GITLAB_CI'],
    build: (read) => ({
      id: read('CI_PIPELINE_ID'),
      number: read('CI_PIPELINE_IID'),
      type: read('CI_PIPELINE_SOURCE'),
      url: read('CI_JOB_URL'),
      commit: read('CI_COMMIT_SHA'),
      branch: read('CI_COMMIT_REF_NAME'),
      pullRequest: read('CI_MERGE_REQUEST_IID'),
    }),
  },
  { name: 'GoCD', when: ['GO_PIPELINE_LABEL'] },
  { name: 'Hudson', when: ['HUDSON_URL'] },
  {
    name: 'Jenkins',
    when: ['JENKINS_URL'],
    build: (read) => ({
      id: read('BUILD_NUMBER') || read('BUILD_ID'),
      url: read('BUILD_URL'),
      commit: read('GIT_COMMIT'),
      branch: read('GIT_BRANCH'),
    }),
  },
  { name: 'Magnum CI', when: ['MAGNUM'] },
  { name: 'Semaphore', when: ['SEMAPHORE'] },
  { name: 'Spacelift', when: ['SPACELIFT_MAX_REQUESTS_BURST', 'SPACELIFT_STORE_HOOKS_ENV_VARS'] },
  { name: 'TaskCluster', when: ['TASK_ID', 'RUN_ID'] },
  { name: 'TeamCity', when: ['TEAMCITY_VERSION'] },
  {
    name: 'Travis CI',
    when: ['TRAVIS'],
    build: (read) => ({
      id: read('TRAVIS_JOB_ID'),
      number: read('TRAVIS_JOB_NUMBER'),
      type: read('TRAVIS_EVENT_TYPE'),
      url: read('TRAVIS_BUILD_WEB_URL'),
      commit: read('TRAVIS_PULL_REQUEST_SHA'),
      branch: read('TRAVIS_BRANCH'),
      pullRequest: read('TRAVIS_PULL_REQUEST') === 'false' ? '' : read('TRAVIS_PULL_REQUEST'),
    }),
  },
];

/** Returns the build that runs us, from variables alone, or `undefined` outside of known CI systems. */
export function ciBuild(env: Env, event: EventFile): CiBuild | undefined {
  if (envFlag(env, 'DISABLE_CI_DETECTION')) return undefined;
  const named = envVar(env, 'CI_SYSTEM') ?? '';
  if (named !== '') return namedBuild(named, env);
  if (env['CI_NAME'] === 'codeship') return { system: 'Codeship' };
  const read = (name: string): string => env[name] ?? '';
  const system = SYSTEMS.find(({ when }) => when.some((name) => read(name) !== ''));
  return system && { system: system.name, ...system.build?.(read, event) };
}

/** Returns a build of a system that the user describes with variables of ours. */
function namedBuild(system: string, env: Env): CiBuild {
  return {
    system,
    id: envVar(env, 'CI_BUILD_ID'),
    number: envVar(env, 'CI_BUILD_NUMBER'),
    type: envVar(env, 'CI_BUILD_TYPE'),
    url: envVar(env, 'CI_BUILD_URL'),
    commit: envVar(env, 'CI_PULL_REQUEST_SHA'),
    branch: envVar(env, 'CI_BRANCH_NAME'),
    pullRequest: envVar(env, 'PR_NUMBER'),
  };
}

/**
 * Returns a build on GitHub. A pull request builds a merge that exists nowhere else: the event names the relevant
 * commit.
 */
function githubBuild(read: (name: string) => string, event: EventFile): Omit<CiBuild, 'system'> {
  const type = read('GITHUB_EVENT_NAME');
  const id = read('GITHUB_RUN_ID');
  const slug = read('GITHUB_REPOSITORY');
  const build = {
    id,
    number: read('GITHUB_RUN_NUMBER'),
    type,
    url: id === '' || slug === '' ? '' : `https://github.com/${slug}/actions/runs/${id}`,
    commit: read('GITHUB_SHA'),
    branch: read('GITHUB_REF'),
  };
  const pull = type === 'pull_request' ? (event(read('GITHUB_EVENT_PATH')) as PullRequestEvent) : undefined;
  if (typeof pull?.number !== 'number') return build;
  const { sha, ref } = pull.pull_request?.head ?? {};
  return { ...build, commit: textOf(sha), branch: textOf(ref), pullRequest: String(pull.number) };
}

/** The part of GitHub's event that is read; any of it may be missing. */
interface PullRequestEvent {
  readonly number?: unknown;
  readonly pull_request?: { readonly head?: { readonly sha?: unknown; readonly ref?: unknown } };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns a build on Azure. Repositories on GitHub have their pull requests in variables of their own. */
function azureBuild(read: (name: string) => string): Omit<CiBuild, 'system'> {
  const onGithub = read('BUILD_REPOSITORY_PROVIDER') === 'GitHub';
  const id = read('BUILD_BUILDID');
  const pullRequest = read(`SYSTEM_PULLREQUEST_PULLREQUEST${onGithub ? 'NUMBER' : 'ID'}`);
  const organization = read('SYSTEM_TEAMFOUNDATIONCOLLECTIONURI').replace(/\/$/, '');
  return {
    id,
    type: read('BUILD_REASON'),
    url: joined(organization, `/${read('SYSTEM_TEAMPROJECT')}/_build/results?buildId=`, id),
    commit: read(onGithub ? 'SYSTEM_PULLREQUEST_SOURCECOMMITID' : 'BUILD_SOURCEVERSION'),
    branch: read(pullRequest === '' ? 'BUILD_SOURCEBRANCHNAME' : 'SYSTEM_PULLREQUEST_SOURCEBRANCH'),
    pullRequest,
  };
}

/** Joins the texts. Returns an empty text if the first one is empty. */
const joined = (first: string, ...rest: readonly string[]): string =>
  first === '' ? '' : first + rest.join('');
