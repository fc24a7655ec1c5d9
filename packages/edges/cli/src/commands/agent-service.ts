import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import {
  consoleAddress,
  parseExecutorFile,
  parsePullsFile,
  runServiceAgent,
  statusOfDeployment,
  whyOfDeployment,
} from '@cairn/agent';
import type { DeploymentAnswer, DeploymentOperation, RunRow } from '@cairn/agent';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import { homeDirectory } from '@cairn/workspace';
import { openAgentService, served, servedStack } from '../flows/agent-service.js';
import type { AgentService, ServedStack } from '../flows/agent-service.js';
import { parseListenAddress } from '../flows/listen-address.js';
import { alignedLines } from '../terminal/columns.js';
import { visible } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandContext } from '../command-context.js';
import { agentLog } from './agent-log.js';
import { factLines, runLines } from './run-lines.js';

/** Operations of requests, as the service names them. */
const OPERATIONS: Readonly<Record<string, DeploymentOperation>> = {
  up: 'update',
  preview: 'preview',
  refresh: 'refresh',
  destroy: 'destroy',
  drift: 'detect-drift',
};

/** Deployments of one list. */
const LISTED = 50;

/** `--org`, by default that of the user. */
interface OrgFlag {
  readonly org?: string | undefined;
}

/** Flags of `agent` with `--service`. */
interface RunFlags extends OrgFlag {
  readonly pool?: string | undefined;
  readonly state?: string | undefined;
  readonly name?: string | undefined;
  readonly places?: number | undefined;
  readonly localSources: boolean;
  readonly executor?: string | undefined;
  readonly pulls?: string | undefined;
  readonly once: boolean;
  readonly json: boolean;
  readonly listen?: string | undefined;
}

/** `agent --service` */
export async function runAgentOf(context: CommandContext, url: string, flags: RunFlags): Promise<number> {
  if (flags.pulls !== undefined && (flags.listen === undefined || flags.once))
    throw cairnError(
      'CAIRN-USAGE',
      'cannot look after pull requests: --pulls needs --listen, and no --once',
      {
        hint: 'Forges send webhooks to the address of --listen while the agent runs.',
      },
    );
  const { organization, token } = await openAgentService(context, url, flags.org);
  const name =
    flags.name ??
    hostname()
      .replace(/[^\w.@-]/g, '-')
      .slice(0, 100);
  const home = homeDirectory({ env: context.env, userHome: context.env['HOME'] ?? '' });
  const { command, words } = context.self;
  const end = await runServiceAgent(
    {
      ...{ url, token, organization, name, pool: flags.pool, places: flags.places ?? 2 },
      folder: path.resolve(context.cwd, flags.state ?? path.join(home, 'agents', name)),
      isLocal: flags.localSources,
      executor: await readGiven(context, flags.executor, parseExecutorFile),
      pulls: await readGiven(context, flags.pulls, parsePullsFile),
    },
    {
      env: context.env,
      cairn: { command, words: words.slice(0, words.length - context.argv.length) },
      log: agentLog(context, flags.json),
      onStop: (listener) => context.onInterrupt(listener),
      listen: flags.listen === undefined ? undefined : parseListenAddress(flags.listen, 'listen'),
    },
    flags.once,
  );
  context.stdout.write(`${end}\n`);
  return EXIT.ok;
}

/** Reads and parses a file that a flag names, if it is given. */
async function readGiven<T>(
  context: CommandContext,
  name: string | undefined,
  parse: (text: string, file: string) => T,
): Promise<T | undefined> {
  if (name === undefined) return undefined;
  const file = path.resolve(context.cwd, name);
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
    throw cairnError('CAIRN-AGENT-INVALID', `cannot read ${file}: ${messageOf(thrown)}`, {}, thrown);
  });
  return parse(text, file);
}

/** `request --service`: prints the number of the deployment. */
export async function requestAtService(
  context: CommandContext,
  url: string,
  operation: string,
  flags: {
    readonly stack?: string | undefined;
    readonly commit?: string | undefined;
    readonly refresh: boolean;
  },
): Promise<number> {
  const service = await openAgentService(context, url);
  const named = OPERATIONS[operation];
  if (named === undefined)
    throw cairnError(
      'CAIRN-USAGE',
      `cannot request ${JSON.stringify(operation)}: it is no operation of agents`,
      {
        hint: `Use one of ${Object.keys(OPERATIONS).join(', ')}.`,
      },
    );
  const { commit, refresh } = flags;
  const own = { ...(commit !== undefined && { commit }), ...(refresh && { refresh }) };
  const body = { operation: named, inheritSettings: true, cairn: own };
  const stack = servedStack(service, flags.stack);
  const { version, consoleUrl } = (await served('request the operation', () =>
    service.api.call('createDeployment', { ...stack }, { body }),
  )) as { readonly version: number; readonly consoleUrl?: string };
  context.stdout.write(`${version}\n`);
  context.stderr.write(`Page: ${visible(consoleUrl || pageOfRun(service, stack, version))}\n`);
  return EXIT.ok;
}

/** `agent runs --service` */
export async function runsOf(
  context: CommandContext,
  url: string,
  id: string | undefined,
  flags: { readonly stack?: string | undefined; readonly json: boolean },
): Promise<number> {
  const service = await openAgentService(context, url);
  if (id !== undefined) {
    const one = await deploymentOf(service, flags.stack, id);
    if (flags.json) printJson(context, one as unknown as Json);
    else {
      const page = one.cairn.consoleUrl ?? pageOfRun(service, servedStack(service, flags.stack), one.version);
      context.stdout.write(`${[...shownRun(one), `Page: ${page}`].map(visible).join('\n')}\n`);
    }
    return EXIT.ok;
  }
  const stack = servedStack(service, flags.stack);
  const query = { page: '1', pageSize: String(LISTED) };
  const { deployments } = (await served('list runs', () =>
    service.api.call('listDeployments', { ...stack }, { query }),
  )) as { readonly deployments: readonly DeploymentAnswer[] };
  if (flags.json) printJson(context, { runs: deployments as unknown as Json });
  else if (deployments.length === 0) context.stderr.write('no runs found\n');
  else
    context.stdout.write(
      `${alignedLines([
        ['RUN', 'OPERATION', 'BY', 'STATUS', 'AGENT', 'WHY'],
        ...[...deployments]
          .reverse()
          .map((each) => [
            ...[String(each.version), each.pulumiOperation, each.requestedBy.githubLogin],
            ...[statusOfDeployment(each), each.cairn.agent ?? '-', whyOfDeployment(each)],
          ]),
      ])
        .map(visible)
        .join('\n')}\n`,
    );
  return EXIT.ok;
}

/** `agent approve --service`: names the plan, the state and the commit that the run has now. */
export async function approveOf(
  context: CommandContext,
  url: string,
  id: string,
  flags: { readonly stack?: string | undefined },
): Promise<number> {
  const service = await openAgentService(context, url);
  const deployment = await deploymentOf(service, flags.stack, id);
  const { digest = '', base = '', commit } = runOf(deployment) ?? {};
  const names = { ...servedStack(service, flags.stack), deployment: deployment.id };
  const body = { digest, base, ...(commit !== undefined && { commit }) };
  await served(`approve run ${id}`, () => service.api.call('approveDeployment', names, { body }));
  context.stderr.write(`Approved plan ${digest.slice(0, 8)} of run ${id}\n`);
  return EXIT.ok;
}

/** `agent deny --service` */
export async function denyOf(
  context: CommandContext,
  url: string,
  id: string,
  flags: { readonly stack?: string | undefined; readonly reason?: string | undefined },
): Promise<number> {
  const service = await openAgentService(context, url);
  const deployment = await deploymentOf(service, flags.stack, id);
  const names = { ...servedStack(service, flags.stack), deployment: deployment.id };
  const body = flags.reason === undefined ? {} : { reason: flags.reason };
  await served(`deny run ${id}`, () => service.api.call('denyDeployment', names, { body }));
  context.stderr.write(`Denied run ${id}\n`);
  return EXIT.ok;
}

/** `agent status --service`: the agents of the organization. */
export async function listAgentsOf(
  context: CommandContext,
  url: string,
  flags: OrgFlag & { readonly json: boolean },
): Promise<number> {
  const service = await openAgentService(context, url, flags.org);
  const agents = await served('list agents', () => service.api.agents());
  if (flags.json) printJson(context, { agents: agents as unknown as Json });
  else if (agents.length === 0)
    context.stderr.write(`no agents found in organization ${service.organization}\n`);
  else
    context.stdout.write(
      `${alignedLines([
        ['AGENT', 'POOL', 'RUNS', 'SEEN'],
        ...agents.map(({ name, pool, alive, seen }) => [name, pool ?? '-', alive ? 'yes' : 'no', seen]),
      ])
        .map(visible)
        .join('\n')}\n`,
    );
  return EXIT.ok;
}

/** `agent drain --service`: without a name, every agent that runs. */
export async function drainOf(
  context: CommandContext,
  url: string,
  name: string | undefined,
  { org }: OrgFlag,
): Promise<number> {
  const service = await openAgentService(context, url, org);
  const agents = await served('list agents', () => service.api.agents());
  const names = name === undefined ? agents.filter(({ alive }) => alive).map((agent) => agent.name) : [name];
  if (names.length === 0) throw cairnError('CAIRN-USAGE', 'cannot drain the agents: none is running');
  for (const agent of names) {
    await served(`drain agent ${agent}`, () =>
      service.api.call('drainAgent', { org: service.organization, agent }, { body: {} }),
    );
    context.stderr.write(`Agent ${agent} ends its running operations and stops\n`);
  }
  return EXIT.ok;
}

/** Returns the notices of a service after a time. Waits for one, at most for some time. */
export async function noticesOf(
  context: CommandContext,
  url: string,
  { org }: OrgFlag,
  after: string,
  waitMs: number,
): Promise<Awaited<ReturnType<AgentService['api']['notices']>>> {
  const service = await openAgentService(context, url, org);
  const end = context.now().getTime() + waitMs;
  for (;;) {
    const left = Math.max(0, end - context.now().getTime());
    const wait = Math.min(25, Math.ceil(left / 1000));
    const notices = await served('list notices', () => service.api.notices(after, wait));
    if (notices.length > 0 || left === 0) return notices;
  }
}

/** `agent notices --acknowledge --service` */
export async function acknowledgeAt(
  context: CommandContext,
  url: string,
  { org }: OrgFlag,
  notices: readonly { readonly type: string; readonly key: string }[],
): Promise<void> {
  const { api, organization } = await openAgentService(context, url, org);
  for (const { type, key } of notices)
    await served(`acknowledge ${type} ${key}`, () =>
      api.call('acknowledgeNotice', { org: organization }, { body: { type, key } }),
    );
}

async function deploymentOf(
  service: AgentService,
  stack: string | undefined,
  id: string,
): Promise<DeploymentAnswer> {
  const names = { ...servedStack(service, stack), version: id };
  return (await served(`find run ${id}`, () =>
    service.api.call('getDeploymentVersion', names),
  )) as DeploymentAnswer;
}

function runOf({ cairn }: DeploymentAnswer): RunRow | undefined {
  return (cairn.run ?? undefined) as RunRow | undefined;
}

/** Returns the address of the page of a run. A service that does not know its own address has that of the command. */
function pageOfRun({ url }: AgentService, { org, project, stack }: ServedStack, number: number): string {
  return consoleAddress(url, { organization: org, project, stack }, `runs/${number}`);
}

function shownRun(deployment: DeploymentAnswer): readonly string[] {
  const run = runOf(deployment);
  if (run !== undefined)
    return [...runLines({ ...run, id: String(deployment.version) }), ...factLines(deployment)];
  const { version, pulumiOperation, requestedBy, status } = deployment;
  return [`Run ${version}: ${pulumiOperation}, requested by ${requestedBy.githubLogin}, is ${status}`];
}
