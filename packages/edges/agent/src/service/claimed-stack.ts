import path from 'node:path';
import type { ClaimedRun } from '@cairn/http-api';
import { FileProblems, MapReader, parseYaml } from '@cairn/workspace';
import type { AgentStack } from '../config/agent-config.js';
import { readAgentStack } from '../config/read-agent-file.js';

/** Stack of a run as managers know it, with the variables of its processes. */
interface ClaimedStack {
  readonly stack: AgentStack;
  readonly env: Readonly<Record<string, string>>;
}

const START = { line: 1, column: 1 };
const LOCAL_HINT = 'Start the agent with --local-sources, or name a repository.';
/** Keys of an executor by which settings could choose files, users and networks of the agent's machine. */
const HOST_KEYS = ['command', 'network', 'mounts', 'user'] as const;
const EXECUTOR_HINT = 'Leave them out, or start the agent with --local-sources.';
const GIT_HINT = 'Give git its credentials on the machine of the agent, by a credential helper or a key.';
/** Name of the system that runs operations, by which the service knows the updates of a run. */
const SYSTEM = 'Cairn agent';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the settings that a run came with: those of Pulumi's form, and our own in the member `cairn`, which has the
 * keys of a stack in the agent's file. Fails with `CAIRN-AGENT-INVALID`, one diagnostic for each problem. Sources on
 * this machine need `isLocal`. `more` are variables that the settings may replace.
 */
export function claimedStack(
  run: ClaimedRun,
  url: string,
  isLocal: boolean,
  more: Readonly<Record<string, string>>,
): ClaimedStack {
  const { organization, project, stack: name, settings, token } = run;
  const reference = `${organization}/${project}/${name}`;
  const context = membersIn(settings, 'operationContext');
  const options = membersIn(context, 'options');
  const problems = new FileProblems(`deployment settings of ${reference}`, 'settings', 'CAIRN-AGENT-INVALID');
  const own = ownSettings(settings, isLocal);
  if (!isLocal && 'directory' in membersIn(own, 'source'))
    return problems.fail(START, 'their source is a folder of the machine of the agent', LOCAL_HINT);
  const executor = membersIn(own, 'executor');
  if (!isLocal && HOST_KEYS.some((key) => key in executor))
    return problems.fail(
      START,
      `their executor has ${HOST_KEYS.join(', ')} of the machine of the agent`,
      EXECUTOR_HINT,
    );
  if ('gitAuth' in gitIn(settings)) return problems.fail(START, 'they have credentials for git', GIT_HINT);
  const commands = Array.isArray(context['preRunCommands']) ? context['preRunCommands'] : [];
  const text = JSON.stringify({
    ...own,
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
    ...{ base: path.sep, environment: [], policies: new Map(), forges: [] },
  });
  problems.check();
  const env = {
    ...more,
    ...variablesIn(context),
    ...{ CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: token },
    ...{ CAIRN_CI_SYSTEM: SYSTEM, CAIRN_CI_BUILD_ID: run.deployment },
  };
  return { stack: { ...read, backend: url, environment: Object.keys(env) }, env };
}

/** Returns our own settings with the source of Pulumi's form, where they have none. */
function ownSettings(settings: Members, isLocal: boolean): Members {
  const own = membersIn(settings, 'cairn');
  const source = 'source' in own ? membersIn(own, 'source') : gitSource(gitIn(settings));
  return { ...own, source: { ...source, ...(isLocal && 'git' in source && { local: true }) } };
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
    const text = typeof value === 'object' && value !== null ? (value as Members)['secret'] : value;
    return typeof text === 'string' && /^[A-Za-z_]\w*$/.test(name) ? [[name, text] as const] : [];
  });
  return Object.fromEntries(entries);
}

function membersIn(members: Members, name: string): Members {
  const value = members[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
