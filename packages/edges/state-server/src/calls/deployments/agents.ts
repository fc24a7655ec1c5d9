import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { hasRunEnded, isDriftRow, isRunReachable, isRunRow } from '@cairn/changes-daemon';
import { LONGEST_WAIT_SECONDS, RUN_LEASE_SECONDS } from '@cairn/http-api';
import type { AttendAnswer, AttendRequest, ClaimBody, ClaimRequest, NoticesBody } from '@cairn/http-api';
import type { InferOutput } from 'valibot';
import { randomToken, tokenHash } from '../../crypto/tokens.js';
import { isAgentAlive } from '../../domain/deployments/agents-alive.js';
import type { AskedDeployment, LogLine } from '../../domain/deployments/deployment.js';
import { Refusal } from '../../domain/refusal.js';
import type { ApiCaller } from '../caller.js';
import type { AgentRow } from '../../store/deployment-store.js';
import { pageAddress } from '../page-address.js';
import { seconds } from '../service-ports.js';
import {
  addStackNotice,
  foundDeployment,
  openedSettings,
  referenceOfStack,
  storeDeployment,
} from './deployment-ports.js';
import type { StackTurn } from './deployment-ports.js';
import type { DeploymentPorts, Deployments } from './deployments.js';
import { readsOfRun, settingsRow } from './named-stacks.js';
import { addDeployment, placeRuns } from './place-runs.js';
import type { SourceLooks } from './source-looks.js';

type Claim = InferOutput<typeof ClaimBody>;
type Report = InferOutput<typeof AttendRequest>;

/** Stacks of one look for a run. */
const MOST_STACKS = 50;
/** Longest time between two looks of a call that waits, in milliseconds: stacks become due as time passes. */
const LOOK_MS = 1000;
/** Time after which the token of a run ends, in seconds. The run ends it before. */
const TOKEN_SECONDS = 24 * 3600;

/** Milliseconds between two looks for agents that are silent. */
const SILENT_LOOK_MS = 30_000;

/** Agents, which take runs one at a time by calls that wait, and report about those that they have. */
export class Agents {
  readonly #ports: DeploymentPorts;
  readonly #deployments: Deployments;
  readonly #sources: SourceLooks;
  /** Number of starts and drains of each agent. Calls from before wait no longer: nothing reads their answer. */
  readonly #turns = new Map<string, number>();
  /** Organizations whose agents or people have called, and the time of the last look at their agents. */
  readonly #organizations = new Set<string>();
  #looked = 0;

  constructor(ports: DeploymentPorts, deployments: Deployments, sources: SourceLooks) {
    this.#ports = ports;
    this.#deployments = deployments;
    this.#sources = sources;
  }

  /**
   * Returns a run for an agent, or a source to look at. Waits for one for the time that the agent names. `found` is
   * called before a run is given out for good.
   */
  async claim(
    organization: string,
    caller: ApiCaller,
    { agent: name, pool, wait, free, looks, starts, ends }: InferOutput<typeof ClaimRequest>,
    found: (stack: StackId, deployment: string) => void,
  ): Promise<Claim> {
    const { store, wakening } = this.#ports;
    const agent = { name, ...(pool && { pool }) };
    this.#organizations.add(organization);
    if (ends) {
      await store.putAgent(organization, { ...agent, gone: this.#ports.now().toISOString() });
      return { drain: false };
    }
    const key = `${organization}/${name}`;
    if (starts) {
      await store.putAgent(organization, agent);
      this.#endWaits(key);
    }
    const own = this.#turns.get(key);
    const { drain = false } = await store.seeAgent(organization, agent);
    if (drain || !free) return { drain };
    const end = performance.now() + wait * 1000;
    for (;;) {
      const wakes = wakening.count;
      if (this.#turns.get(key) !== own) return { drain };
      for (const stack of await store.dueStacks(MOST_STACKS)) {
        if (organizationOf(stack) !== organization) continue;
        const run = await unlessGone(this.#take(stack, caller, agent, found));
        if (run !== undefined) return { drain, run };
        const look = looks ? await unlessGone(this.#takeLook(stack, caller, agent)) : undefined;
        if (look !== undefined) return { drain, look };
      }
      const left = end - performance.now();
      if (left <= 0) return { drain };
      await wakening.wait(Math.min(left, LOOK_MS), wakes);
    }
  }

  /** Stores what the agent that has a run reports, and renews its lease. Refuses other agents (409). */
  async attend(stack: StackId, id: string, report: Report): Promise<AttendAnswer> {
    let ended: string | undefined;
    await this.#deployments.turn(stack, async (turn) => {
      const { store } = turn.ports;
      const deployment = await foundDeployment(store, turn.stackId, id);
      const { fence, agent } = deployment;
      if (fence !== report.fence || agent !== report.agent)
        throw new Refusal(409, 'The run belongs to another agent, or has ended.');
      await this.#deployments.addLines(turn, deployment, report.lines.map(lineOf));
      const changed = reported(deployment, report);
      if (typeof report.plan === 'string')
        await store.putDeploymentRow(turn.stackId, 'plans', id, { text: report.plan });
      await this.#addNotices(turn, report, changed);
      const { run } = changed;
      const rests =
        run === undefined || hasRunEnded(run.status) || run.status === 'waiting' || report.release;
      if (!rests) {
        await store.keepRunLease(turn.stackId, id, RUN_LEASE_SECONDS * 1000);
        if (changed !== deployment) await storeDeployment(turn, changed);
        return;
      }
      const { agent: _agent, token, ...free } = changed;
      ended = token;
      await store.endRunLease(id);
      await storeDeployment(turn, free);
      await this.#remediate(turn, free);
      await placeRuns(turn);
    });
    if (ended !== undefined) {
      await this.#ports.store.removeToken(ended);
      this.#ports.wakening.wake();
    }
    return {};
  }

  async list(organization: string) {
    this.#organizations.add(organization);
    const agents = await this.#ports.store.listAgents(organization);
    const now = this.#ports.now().getTime();
    return agents.map((each) => {
      const { name, pool, gone } = each.agent;
      return {
        ...{ name, seen: gone ?? new Date(now - each.agoMs).toISOString() },
        alive: isAgentAlive(each),
        ...(pool !== undefined && { pool }),
      };
    });
  }

  /** Has an agent begin nothing more. It ends when its runs have ended. */
  async drain(organization: string, name: string): Promise<void> {
    const { store } = this.#ports;
    const found = (await store.listAgents(organization)).find(({ agent }) => agent.name === name);
    if (found === undefined) throw new Refusal(404, 'Agent not found.');
    await store.putAgent(organization, { ...found.agent, drain: true });
    this.#endWaits(`${organization}/${name}`);
  }

  /** Ends the waits of an agent. One that lives calls again. */
  #endWaits(key: string): void {
    this.#turns.set(key, (this.#turns.get(key) ?? 0) + 1);
    this.#ports.wakening.wake();
  }

  /** Returns the notices after a time. Waits for one, in seconds. */
  async notices(
    organization: string,
    after: string,
    wait: number,
  ): Promise<InferOutput<typeof NoticesBody>['notices']> {
    const { store, wakening } = this.#ports;
    this.#organizations.add(organization);
    const end = performance.now() + Math.min(wait, LONGEST_WAIT_SECONDS) * 1000;
    for (;;) {
      const wakes = wakening.count;
      const found = await store.listNotices(organization, after);
      const left = end - performance.now();
      if (found.length > 0 || left <= 0) return [...found];
      await wakening.wait(Math.min(left, LOOK_MS), wakes);
    }
  }

  /** Notes that a person has seen a notice. */
  async acknowledge(
    organization: string,
    notice: { readonly type: string; readonly key: string },
    by: string,
  ): Promise<void> {
    const { store, now } = this.#ports;
    const known = await store.listNotices(organization, '');
    if (!known.some(({ type, key }) => type === notice.type && key === notice.key))
      throw new Refusal(404, 'Notice not found.');
    await store.acknowledgeNotice(organization, notice, { by, at: now().toISOString() });
  }

  /** Looks at the stacks that are due, where no agent asks. */
  async sweep(): Promise<void> {
    for (const stack of await this.#ports.store.dueStacks(MOST_STACKS))
      await this.#deployments
        .turn(stack, placeRuns)
        .catch((thrown: unknown) => this.#ports.failed(`place runs of ${referenceOfStack(stack)}`, thrown));
    await this.#lookForSilent();
  }

  /** Gives notice of agents that are silent and have not ended, once for each silence [AGT-14]. */
  async #lookForSilent(): Promise<void> {
    const { store, now, wakening } = this.#ports;
    const at = now();
    if (Math.abs(at.getTime() - this.#looked) < SILENT_LOOK_MS) return;
    this.#looked = at.getTime();
    for (const organization of this.#organizations)
      for (const { agent, agoMs } of await store.listAgents(organization)) {
        if (agent.gone !== undefined || isAgentAlive({ agent, agoMs })) continue;
        const seen = new Date(at.getTime() - agoMs).toISOString();
        const notice = { type: 'agent-lost', key: agent.name, 'last-repeated': at.toISOString() };
        await store.addNotice(organization, { ...notice, 'last-data': { agent: agent.name, seen } }, seen);
        await store.putAgent(organization, { ...agent, gone: seen });
        wakening.wake();
      }
  }

  /** Takes a run of a stack for an agent. Returns undefined if there is none for it. */
  async #take(
    stack: StackId,
    caller: ApiCaller,
    agent: { readonly name: string; readonly pool?: string },
    found: (stack: StackId, deployment: string) => void,
  ): Promise<Claim['run']> {
    if (!(await mayRun(caller, stack))) return undefined;
    const token = randomToken('cairn');
    const taken = await this.#deployments.turn(stack, async (turn) => {
      const claimable = await placeRuns(turn);
      const free = claimable.find(({ pool }) => pool === undefined || pool === agent.pool);
      if (free === undefined) return undefined;
      const hash = tokenHash(token);
      const fence = free.fence + 1;
      const deployment = await storeDeployment(turn, {
        ...{ ...free, fence, agent: agent.name, ranBy: agent.name, token: hash },
      });
      await turn.ports.store.keepRunLease(turn.stackId, free.id, RUN_LEASE_SECONDS * 1000);
      await placeRuns(turn);
      const settings = await openedSettings(turn.ports, stack, deployment.settings);
      const range = { from: free.id, below: `${free.id}!` };
      const [plan] = await turn.ports.store.deploymentRows(turn.stackId, 'plans', range);
      found(stack, free.id);
      const stored = await settingsRow(turn.ports.store, turn.stackId);
      const reads = await readsOfRun(caller, stack, deployment, stored?.settings ?? {});
      const copies = stored?.copies?.stack;
      return { deployment, settings, before: free.token, plan: plan?.row.text, reads, copies };
    });
    if (taken === undefined) return undefined;
    const { deployment, settings, before, plan, reads, copies } = taken;
    if (before !== undefined) await this.#ports.store.removeToken(before);
    await this.#issueToken(stack, caller, deployment, token, reads);
    const { id, fence, run, operation } = deployment;
    return {
      ...{ deployment: id, organization: organizationOf(stack), project: stack.project, stack: stack.stack },
      ...{ operation, fence, settings, token, row: { ...run } },
      ...(plan !== undefined && { plan }),
      ...(copies !== undefined && { copies }),
    };
  }

  async #takeLook(stack: StackId, caller: ApiCaller, agent: AgentRow): Promise<Claim['look']> {
    if (!(await mayRun(caller, stack))) return undefined;
    return this.#deployments.turn(stack, async (turn) => {
      const look = await this.#sources.take(turn, agent);
      if (look !== undefined) await placeRuns(turn);
      return look;
    });
  }

  /**
   * Makes the token of a run: it is valid for the stack of the run, reads those that the settings name, and ends with
   * the token of the agent.
   */
  async #issueToken(
    stack: StackId,
    { token: parent }: ApiCaller,
    deployment: AskedDeployment,
    text: string,
    reads: readonly string[],
  ): Promise<void> {
    const at = seconds(this.#ports.now());
    await this.#ports.store.putToken({
      ...{ hash: tokenHash(text), kind: 'organization', organization: organizationOf(stack) },
      ...{ user: deployment.request.by, name: `deployment ${deployment.number}`, role: 'writer' },
      ...(reads.length > 0 && { reads }),
      ...{ stacks: [`${stack.project}/${stack.stack}`], by: parent.user, parent: parent.hash },
      run: deployment.id,
      ...{ createdAt: at, expiresAt: at + TOKEN_SECONDS },
    });
  }

  /** Adds the notices of a report, with the address of the page of their run. */
  async #addNotices(turn: StackTurn, { notices }: Report, run: AskedDeployment): Promise<void> {
    const page = pageAddress(turn.ports, turn.stack, `runs/${run.number}`);
    for (const { type, key: about, data } of notices)
      await addStackNotice(turn, { type, run, about, data: { ...data, ...(page && { page }) } });
    if (notices.length > 0) this.#ports.wakening.wake();
  }

  /** Asks for an update that repairs the drift that a run has found, where it was asked to do so. */
  async #remediate(
    turn: StackTurn,
    { operation, drift, run, settings, initiator }: AskedDeployment,
  ): Promise<void> {
    if (operation !== 'detect-drift' || run?.status !== 'succeeded' || !drift?.resources.length) return;
    const context = settings['operationContext'] as { options?: Record<string, unknown> } | undefined;
    if (context?.options?.['remediateIfDriftDetected'] !== true) return;
    await addDeployment(turn, {
      ...{ operation: 'remediate-drift', by: 'drift', initiator, isPerson: false, inherit: false, settings },
      request: { why: `${drift.resources.length} differ` },
    });
  }
}

/** Returns a deployment with what its agent reports. Refuses statuses that the table of runs does not have. */
function reported(deployment: AskedDeployment, { rows, drift }: Report): AskedDeployment {
  let { run } = deployment;
  for (const row of rows) {
    if (run === undefined || !isRunRow(row)) throw new Refusal(400, 'rows: is no run.');
    if (!isRunReachable(run.status, row.status))
      throw new Refusal(409, `A run that is ${run.status} cannot become ${row.status}.`);
    const { id, stack, kind, request, by, began, needed, approvals } = run;
    run = { ...row, id, stack, kind, request, by, began, needed, approvals };
  }
  if (run === deployment.run && !isDriftRow(drift)) return deployment;
  return { ...deployment, ...(run && { run }), ...(isDriftRow(drift) && { drift }) };
}

/** Returns the result of work on a stack, or undefined if the stack was removed or renamed since it was found. */
async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.status === 404) return undefined;
    throw thrown;
  }
}

async function mayRun(caller: ApiCaller, stack: StackId): Promise<boolean> {
  const needed = { role: 'writer', permission: 'stack:write' } as const;
  return caller.needOnStack(needed, stack).then(
    () => true,
    () => false,
  );
}

function lineOf({ header, timestamp, line }: Report['lines'][number]): LogLine {
  return {
    ...(typeof header === 'string' && { header }),
    ...(typeof timestamp === 'string' && { timestamp }),
    ...(typeof line === 'string' && { line }),
  };
}
