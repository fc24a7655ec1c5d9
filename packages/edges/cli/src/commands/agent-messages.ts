import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { approvalProblem, isLeaseAlive, leaveAgentMessage, readAgentState } from '@cairn/agent';
import type { AgentConfig, AgentState, RequestKind, RunRow } from '@cairn/agent';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { readAgentFile, serviceOf } from '../flows/agent-file.js';
import type { ServedFlags } from '../flows/agent-file.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';

const OPERATIONS = ['up', 'preview', 'refresh', 'destroy', 'drift'] as const satisfies readonly RequestKind[];

/** `request`: prints the id of the request. */
export const request: Command<ServedFlags & Texts<'commit' | 'stack'> & Switches<'refresh'>> = async (
  { args: [operation = ''], flags },
  context,
) => {
  const service = serviceOf(flags);
  if (service !== undefined) return (await atService()).requestAtService(context, service, operation, flags);
  const config = await readAgentFile(context, flags);
  const kind = OPERATIONS.find((each) => each === operation);
  if (kind === undefined)
    throw cairnError(
      'CAIRN-USAGE',
      `cannot request ${JSON.stringify(operation)}: the agent has no such operation`,
      {
        hint: `Use one of ${OPERATIONS.join(', ')}.`,
      },
    );
  const stack = stackOf(config, flags.stack);
  const { commit } = flags;
  if (commit !== undefined && !/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commit))
    throw cairnError('CAIRN-USAGE', `--commit takes a full commit id, not ${JSON.stringify(commit)}`);
  const id = newId();
  const row = { id, stack, kind, by: userInfo().username, at: context.now().toISOString() };
  await leaveAgentMessage(config.folder, id, context.now(), {
    t: 'request',
    request: {
      ...row,
      ...(commit !== undefined && { commit, pinned: true }),
      ...(flags.refresh && { refresh: true }),
    },
  });
  context.stdout.write(`${id}\n`);
  await sayIfAlone(context, config);
  return EXIT.ok;
};

/** `agent approve`: names the plan, the state and the commit that the run has now. */
export const approve: Command<ServedFlags & Texts<'stack'>> = async ({ args: [id = ''], flags }, context) => {
  const service = serviceOf(flags);
  if (service !== undefined) return (await atService()).approveOf(context, service, id, flags);
  const config = await readAgentFile(context, flags);
  const run = runOf(await readAgentState(config.folder), id);
  const { digest = '', base = '', commit } = run;
  const by = userInfo().username;
  const approval = {
    by,
    at: context.now().toISOString(),
    digest,
    base,
    ...(commit !== undefined && { commit }),
  };
  const policy = config.stacks.find(({ name }) => name === run.stack)?.policy;
  const problem = approvalProblem(run, approval, policy?.others ?? false);
  if (problem !== undefined)
    throw cairnError('CAIRN-USAGE', `cannot approve run ${id}: ${problem}`, {
      hint: 'List runs with `cairn agent runs`.',
    });
  await leaveAgentMessage(config.folder, newId(), context.now(), { t: 'approve', run: id, approval });
  context.stderr.write(`Approved plan ${digest.slice(0, 8)} of run ${id}\n`);
  await sayIfAlone(context, config);
  return EXIT.ok;
};

/** `agent deny` */
export const deny: Command<ServedFlags & Texts<'reason' | 'stack'>> = async (
  { args: [id = ''], flags },
  context,
) => {
  const service = serviceOf(flags);
  if (service !== undefined) return (await atService()).denyOf(context, service, id, flags);
  const config = await readAgentFile(context, flags);
  const { status } = runOf(await readAgentState(config.folder), id);
  if (status !== 'waiting' && status !== 'ready')
    throw cairnError('CAIRN-USAGE', `cannot deny run ${id}: its status is ${status}`, {
      hint: 'List runs with `cairn agent runs`.',
    });
  const { reason } = flags;
  const message = {
    t: 'deny',
    run: id,
    by: userInfo().username,
    ...(reason !== undefined && { why: reason }),
  } as const;
  await leaveAgentMessage(config.folder, newId(), context.now(), message);
  context.stderr.write(`Denied run ${id}\n`);
  await sayIfAlone(context, config);
  return EXIT.ok;
};

/** `agent drain` */
export const drain: Command<ServedFlags & Texts<'org'>> = async ({ args: [agent], flags }, context) => {
  const service = serviceOf(flags);
  if (service !== undefined) return (await atService()).drainOf(context, service, agent, flags);
  const config = await readAgentFile(context, flags);
  const { lease } = await readAgentState(config.folder);
  if (lease === undefined || !isLeaseAlive(lease, context.now()))
    throw cairnError('CAIRN-USAGE', 'cannot drain the agent: it is not running');
  await leaveAgentMessage(config.folder, newId(), context.now(), { t: 'drain', by: userInfo().username });
  context.stderr.write(`Agent ${lease.agent} ends its running operations and stops\n`);
  return EXIT.ok;
};

/** Says that the message waits if no agent runs. */
async function sayIfAlone(context: CommandContext, { folder }: AgentConfig): Promise<void> {
  const { lease } = await readAgentState(folder);
  if (lease === undefined || !isLeaseAlive(lease, context.now()))
    context.stderr.write('The agent is not running: it reads this when it starts\n');
}

function stackOf({ stacks }: AgentConfig, name: string | undefined): string {
  const names = stacks.map((stack) => stack.name);
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  if (chosen !== undefined && names.includes(chosen)) return chosen;
  const summary =
    chosen === undefined
      ? 'no stack was given'
      : `the file of the agent has no stack ${JSON.stringify(chosen)}`;
  throw cairnError('CAIRN-USAGE', summary, { hint: `Name one with --stack: ${names.join(', ')}.` });
}

function runOf({ runs }: AgentState, id: string): RunRow {
  const run = runs.get(id);
  if (run !== undefined) return run;
  throw cairnError('CAIRN-USAGE', `there is no run ${JSON.stringify(id)}`, {
    hint: 'List runs with `cairn agent runs`.',
  });
}

const newId = (): string => randomUUID().slice(0, 8);

const atService = () => import('./agent-service.js');
