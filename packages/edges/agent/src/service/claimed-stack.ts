import path from 'node:path';
import { AGENT_SYSTEM } from '@cairn/http-api';
import type { ClaimedRun } from '@cairn/http-api';
import { FileProblems, MapReader, parseYaml } from '@cairn/workspace';
import type { AgentStack, PullSettings } from '../config/agent-config.js';
import type { ExecutorSettings } from '../config/read-executor.js';
import type { PullStack } from '../forges/touched-stacks.js';
import { readAgentStack } from '../config/read-agent-file.js';

/** Stack of a run as managers know it, with the variables of its processes. */
interface ClaimedStack {
  readonly stack: AgentStack;
  readonly env: Readonly<Record<string, string>>;
}

const START = { line: 1, column: 1 };
const LOCAL_HINT = 'Start the agent with --local-sources, or name a repository.';
/** Keys of an executor by which settings could choose files, users and networks of the agent's machine. */
const HOST_KEYS = [
  ...['command', 'network', 'mounts', 'user'],
  ...['kubeconfig', 'context', 'namespace', 'serviceAccount', 'pullSecret'],
] as const;
const EXECUTOR_HINT = 'Leave them out, or start the agent with --local-sources.';
const IMAGE_HINT = 'Log the machine of the agent in to the registry, or name a pull secret of the cluster.';
const GIT_HINT = 'Give ssh its key on the machine of the agent, or use an https address and a token.';
/** Name of the user of a token. Forges look at the token only. */
const TOKEN_USER = 'x-access-token';
/** Variable with credentials for git. Programs do not get it. */
const GIT_VARIABLE = 'CAIRN_AGENT_GIT_CREDENTIALS';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the settings that a run came with: those of Pulumi's form, and our own in the member `cairn`, which has the
 * keys of a stack in the agent's file. Fails with `CAIRN-AGENT-INVALID`, one diagnostic for each problem. Sources on
 * this machine need `isLocal`. `more` are variables of this machine that settings may replace; pods do not get them.
 * `forced` is the executor of the agent, which replaces that of the settings.
 */
export function claimedStack(
  run: ClaimedRun,
  url: string,
  isLocal: boolean,
  more: Readonly<Record<string, string>>,
  forced?: ExecutorSettings,
): ClaimedStack {
  const { organization, project, stack: name, settings, token } = run;
  const reference = `${organization}/${project}/${name}`;
  const context = membersIn(settings, 'operationContext');
  const options = membersIn(context, 'options');
  const problems = new FileProblems(`deployment settings of ${reference}`, 'settings', 'CAIRN-AGENT-INVALID');
  const { executor: named, ...own } = ownSettings(settings, isLocal);
  const image = membersIn(settings, 'executorContext')['executorImage'];
  if (forced === undefined && membersIn({ image }, 'image')['credentials'] !== undefined)
    return problems.fail(START, 'their image has credentials', IMAGE_HINT);
  const wanted = withImage(named, textIn(image));
  if (!isLocal && 'directory' in membersIn(own, 'source'))
    return problems.fail(START, 'their source is a folder of the machine of the agent', LOCAL_HINT);
  const packs = Array.isArray(own['packs']) ? own['packs'] : [];
  if (!isLocal && packs.some((pack) => path.isAbsolute(String(pack))))
    return problems.fail(START, 'their packs are folders of the machine of the agent', LOCAL_HINT);
  const executor = membersIn({ executor: wanted }, 'executor');
  if (!isLocal && forced === undefined && HOST_KEYS.some((key) => key in executor))
    return problems.fail(
      START,
      `their executor has ${HOST_KEYS.join(', ')} of the machine of the agent`,
      EXECUTOR_HINT,
    );
  const credentials = gitCredentialsIn(membersIn(gitIn(settings), 'gitAuth'));
  if (credentials === undefined)
    return problems.fail(START, 'their credentials for git are none of accessToken, basicAuth', GIT_HINT);
  const commands = Array.isArray(context['preRunCommands']) ? context['preRunCommands'] : [];
  const text = JSON.stringify({
    ...own,
    ...(credentials !== '' && { source: { ...membersIn(own, 'source'), credentials: GIT_VARIABLE } }),
    ...(forced === undefined && wanted !== undefined && { executor: wanted }),
    stack: reference,
    name: [organization, project, name].join('.'),
    before: [
      ...(Array.isArray(own['before']) ? own['before'] : []),
      ...commands.map((each) => ['sh', '-c', each]),
    ],
    ...(options['deleteAfterDestroy'] === true && { timeToLive: { after: '1s', remove: true } }),
  });
  const { root } = parseYaml(text, problems);
  if (root?.kind !== 'map') return problems.fail(START, 'they are no object');
  const read = readAgentStack(new MapReader(root, '', problems), {
    ...{ base: path.sep, environment: [], policies: new Map(), forges: [], executor: forced },
  });
  problems.check();
  const env = {
    ...(read.cluster === undefined && more),
    ...variablesIn(context),
    ...{ CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: token },
    ...{ CAIRN_CI_SYSTEM: AGENT_SYSTEM, CAIRN_CI_BUILD_ID: run.deployment },
  };
  const stack = {
    ...{ ...read, backend: url, environment: Object.keys(env) },
    ...(run.copies && { copies: run.copies, isMade: true as const }),
  };
  return { stack, env: credentials === '' ? env : { ...env, [GIT_VARIABLE]: credentials } };
}

/** Returns an executor with the image of Pulumi's form, which is one of containers if settings say nothing else. */
function withImage(executor: unknown, image: string | undefined): unknown {
  if (image === undefined) return executor;
  return { kind: 'container', image, ...membersIn({ executor }, 'executor') };
}

/** Returns the name of an image: a text, or the reference of an object. */
function textIn(image: unknown): string | undefined {
  return textOf(typeof image === 'object' && image !== null ? (image as Members)['reference'] : image);
}

/**
 * Returns the credentials for git in settings, as a token or `user:password`. Empty if they have none, undefined if
 * they are of another kind.
 */
function gitCredentialsIn(auth: Members): string | undefined {
  const { accessToken, ...others } = auth;
  const { userName, password } = membersIn(auth, 'basicAuth');
  const token = textOf(accessToken);
  if (token !== undefined) return `${TOKEN_USER}:${token}`;
  const [user, secret] = [textOf(userName), textOf(password)];
  if (user !== undefined && secret !== undefined && !user.includes(':')) return `${user}:${secret}`;
  const isGiven = Object.values({ ...others, accessToken }).some(
    (value) => value !== undefined && value !== null,
  );
  return isGiven ? undefined : '';
}

/** Returns a text, or the text of an open secret. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'object' && value !== null ? (value as Members)['secret'] : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Returns a stack of a service as pull requests see it. None touches a stack without a repository and a branch. */
export function servedPullStack(name: string, pulls: PullSettings, settings: Members): PullStack {
  const { git, branch, folder = '.', tag } = membersIn(ownSettings(settings, false), 'source');
  if (
    typeof git !== 'string' ||
    typeof branch !== 'string' ||
    typeof folder !== 'string' ||
    tag !== undefined
  )
    return { name, pulls, source: { t: 'directory', path: '' } };
  const ref = `refs/heads/${branch}`;
  return { name, pulls, source: { ...{ t: 'git', url: git, ref, folder }, everyMs: 0 } };
}

/** Returns our own settings with the source of Pulumi's form, where they have none. */
function ownSettings(settings: Members, isLocal: boolean): Members {
  // The service itself reads these.
  const { reads: _reads, after: _after, comments: _comments, ...own } = membersIn(settings, 'cairn');
  const named = membersIn(own, 'source');
  // Our own members, such as `every`, may be beside the repository of Pulumi's form.
  const isWhole = ['git', 'directory', 'archive'].some((key) => key in named);
  const source = isWhole ? named : { ...gitSource(gitIn(settings)), ...named };
  return { ...own, source: { ...source, ...(isLocal && !('directory' in source) && { local: true }) } };
}

function gitIn(settings: Members): Members {
  return membersIn(membersIn(settings, 'sourceContext'), 'git');
}

function gitSource(git: Members): Members {
  const { repoUrl, branch, repoDir } = git;
  const ref = typeof branch === 'string' ? branch.replace(/^refs\/heads\//, '') : 'main';
  return {
    ...(repoUrl !== undefined && { git: repoUrl, branch: ref }),
    ...(typeof repoDir === 'string' && repoDir !== '' && repoDir !== '.' && { folder: repoDir }),
  };
}

/** Returns variables of settings as texts. Secrets are open. */
function variablesIn(context: Members): Readonly<Record<string, string>> {
  const entries = Object.entries(membersIn(context, 'environmentVariables')).flatMap(([name, value]) => {
    const text = value === '' ? '' : textOf(value);
    return text !== undefined && /^[A-Za-z_]\w*$/.test(name) ? [[name, text] as const] : [];
  });
  return Object.fromEntries(entries);
}

function membersIn(members: Members, name: string): Members {
  const value = members[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
