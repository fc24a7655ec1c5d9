import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { approvalProblem, approvedRun, deniedRun, nextRunStatus } from '@cairn/changes-daemon';
import type { ApprovalRow, RunRow } from '@cairn/changes-daemon';
import { AGENT_SYSTEM } from '@cairn/http-api';
import type {
  CreateDeploymentRequest,
  DeployedUpdate,
  DeploymentAnswer,
  DeploymentOperation,
} from '@cairn/http-api';
import type { InferOutput } from 'valibot';
import { deploymentAnswer } from '../../domain/deployments/answers.js';
import { needsAgent, wantedAgent } from '../../domain/deployments/agents-alive.js';
import { isOpen, wireStatus } from '../../domain/deployments/deployment.js';
import type { AskedDeployment, LogLine, SealedSettings } from '../../domain/deployments/deployment.js';
import { commentPerson, commentRule } from '../../domain/deployments/comment-people.js';
import { refuseKeptApart } from '../../domain/deployments/kept-apart.js';
import { commitIn, givenSettings, mergedSettings } from '../../domain/deployments/settings.js';
import { waitsOf } from '../../domain/deployments/stack-order.js';
import { Refusal } from '../../domain/refusal.js';
import type { ApiCaller } from '../caller.js';
import { pageAddress } from '../page-address.js';
import { inStackTurn } from '../service-ports.js';
import type { HookSender } from '../hook-sender.js';
import type { ServicePorts } from '../service-ports.js';
import { recordOf } from '../stack-records.js';
import type { Stacks } from '../stacks.js';
import type { UpdateEnds } from '../update-ends.js';
import type { Wakening } from '../wakening.js';
import { foundDeployment, numberedDeployment, sealedSettings, storeDeployment } from './deployment-ports.js';
import type { StackTurn } from './deployment-ports.js';
import { commentedApproval, needPerson } from './approvers.js';
import { checkOrder, workBefore } from './earlier-stacks.js';
import { needNamedStacks, settingsRow, storedSettings } from './named-stacks.js';
import { addDeployment, endUpdate, moved, placeRuns, policyIn } from './place-runs.js';
import { makeReviewStack, needReviewStack, reviewStackOf } from './review-stacks.js';

/** Digits of a place in a log. */
const PLACE_DIGITS = 10;

/** Facilities of deployments. */
export interface DeploymentPorts extends ServicePorts {
  readonly ends: UpdateEnds;
  readonly hooks: Pick<HookSender, 'note'>;
  readonly stacks: Stacks;
  readonly wakening: Wakening;
}

/** Update that is new, with what its client says about its surroundings. */
interface NewUpdate {
  readonly id: string;
  readonly dryRun: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

/** SealedSettings of stacks for agents, and what is asked of agents. */
export class Deployments {
  readonly #ports: DeploymentPorts;

  constructor(ports: DeploymentPorts) {
    this.#ports = ports;
  }

  /** Returns the address of the page of a deployment, if the service knows its own. */
  page(stack: StackId, number: number): string | undefined {
    return pageAddress(this.#ports, stack, `runs/${number}`);
  }

  /** Returns the settings of a stack with sealed secrets. Refuses a stack without settings (404). */
  async settings(stack: StackId): Promise<SealedSettings> {
    const { id } = await this.#ports.stacks.record(stack);
    const found = await settingsRow(this.#ports.store, id);
    if (found === undefined) throw new Refusal(404, 'Deployment settings not found.');
    return found.settings;
  }

  /** Changes settings. The caller must be able to read the stacks that they name [AGT-2] [AGT-20]. */
  async changeSettings(stack: StackId, change: SealedSettings, caller: ApiCaller): Promise<SealedSettings> {
    needPerson(caller);
    refuseKeptApart(change);
    commentRule(change);
    const changed = await this.turn(stack, async (turn) => {
      const { ports, stackId } = turn;
      const { store, now } = ports;
      const sealed = await sealedSettings(ports, stack, change);
      const before = await settingsRow(store, stackId);
      const known = before?.settings ?? {};
      const settings = mergedSettings(known, sealed);
      await needNamedStacks(caller, stack, settings);
      await checkOrder(caller, store, stack, { before: known, after: settings });
      await store.putDeploymentRow(stackId, 'settings', 'settings', {
        ...before,
        settings,
        modified: now().toISOString(),
      });
      await placeRuns(turn);
      return settings;
    });
    this.#ports.wakening.wake();
    return changed;
  }

  removeSettings(stack: StackId): Promise<void> {
    return this.turn(stack, ({ ports, stackId }) =>
      ports.store.removeDeploymentRows(stackId, 'settings', { from: '', below: '~' }),
    );
  }

  /**
   * Adds a request of a person. One with settings or a commit of its own needs a caller who may read the stacks that
   * the settings of the stack name [AGT-20]. One for a review stack makes it, or ends it [AGT-25]. Returns the
   * deployment with its stack.
   */
  async create(
    asked: StackId,
    request: InferOutput<typeof CreateDeploymentRequest>,
    caller: ApiCaller,
    initiator: string,
  ): Promise<{ readonly stack: StackId; readonly deployment: AskedDeployment }> {
    const { operation, inheritSettings, agentPoolID, cairn, ...settings } = request;
    const {
      refresh,
      pull,
      pullPage,
      review,
      commit: _commit,
      author,
      reads: _reads,
      after: _after,
      comments: _comments,
      ...own
    } = cairn ?? {};
    refuseKeptApart({ cairn: own });
    const commit = cairn?.commit ?? commitIn(settings);
    const stack = review === true ? await this.#reviewStack(asked, operation, pull, caller) : asked;
    const deployment = await this.turn(stack, async (turn) => {
      const { store } = turn.ports;
      const stored = await storedSettings(store, turn.stackId);
      const found = author && commentPerson(stored, caller.name, author);
      const given = givenSettings(Object.keys(own).length === 0 ? settings : { ...settings, cairn: own });
      // Its program, or what runs beside it, may be another one than that of the settings.
      if (Object.keys(given).length > 0 || commit !== undefined) await needNamedStacks(caller, stack, stored);
      const added = await addDeployment(turn, {
        ...{
          operation,
          // Who asks at a forge counts as the same person who may approve there.
          by: found && 'person' in found ? found.person : caller.name,
          initiator,
          isPerson: true,
          inherit: inheritSettings,
          pool: agentPoolID ?? undefined,
        },
        settings: await sealedSettings(turn.ports, stack, given),
        request: {
          ...(commit && { commit }),
          ...(refresh === true && { refresh }),
          ...(pull && { pull }),
          ...(pullPage && { pullPage }),
        },
      });
      await placeRuns(turn);
      return added as AskedDeployment;
    });
    this.#ports.wakening.wake();
    return { stack, deployment };
  }

  /** Returns the review stack of a pull request. An update makes it; a destroy needs one that is there. */
  async #reviewStack(
    stack: StackId,
    operation: DeploymentOperation,
    pull: string | null | undefined,
    caller: ApiCaller,
  ): Promise<StackId> {
    if (!pull || (operation !== 'update' && operation !== 'destroy'))
      throw new Refusal(400, 'cairn.review: needs "pull", and an update or a destroy.');
    const review = await reviewStackOf(stack, pull, caller);
    if (operation === 'update') await makeReviewStack(this.#ports, { of: stack, review, caller });
    else await needReviewStack(this.#ports, stack, review);
    return review;
  }

  async list(
    stack: StackId,
    page: { readonly size: number; readonly page: number },
  ): Promise<{ readonly deployments: readonly DeploymentAnswer[]; readonly total: number }> {
    const { id } = await this.#ports.stacks.record(stack);
    const { rows, total } = await this.#ports.store.deploymentPage(id, 'deployments', page);
    return {
      deployments: await this.#answers(
        stack,
        id,
        rows.map(({ row }) => row),
      ),
      total,
    };
  }

  async get(stack: StackId, id: string): Promise<DeploymentAnswer> {
    return this.#answer(stack, (stackId) => foundDeployment(this.#ports.store, stackId, id));
  }

  async getNumbered(stack: StackId, number: number): Promise<DeploymentAnswer> {
    return this.#answer(stack, (stackId) => numberedDeployment(this.#ports.store, stackId, number));
  }

  /** Returns the updates of a deployment, oldest first. */
  async updates(stack: StackId, id: string): Promise<readonly DeployedUpdate[]> {
    return (await this.get(stack, id)).updates;
  }

  /** Returns the lines of a log from a place on. Without `next` there are no more. */
  async logs(
    stack: StackId,
    id: string,
    from: string,
  ): Promise<{ readonly lines: readonly LogLine[]; readonly next: string | undefined }> {
    const { store, stacks } = this.#ports;
    const { id: stackId } = await stacks.record(stack);
    // The status comes first: lines that come before the end are among those that are read after it.
    const deployment = await foundDeployment(store, stackId, id);
    const start = /^\d{1,10}$/.test(from) ? from.padStart(PLACE_DIGITS, '0') : ''.padStart(PLACE_DIGITS, '0');
    const range = { from: `${deployment.id}.${start}`, below: `${deployment.id}.~` };
    const found = await store.deploymentRows(stackId, 'logs', range);
    const last = found.at(-1)?.id.slice(-PLACE_DIGITS);
    const next = last === undefined ? start : String(Number(last) + 1).padStart(PLACE_DIGITS, '0');
    return { lines: found.flatMap(({ row }) => row.lines), next: isOpen(deployment) ? next : undefined };
  }

  /** Ends a deployment: what has not begun never begins, and what an agent runs is ended. */
  async cancel(stack: StackId, id: string, by: string): Promise<void> {
    const token = await this.turn(stack, async (turn) => {
      const deployment = await foundDeployment(turn.ports.store, turn.stackId, id);
      if (!isOpen(deployment)) return undefined;
      await storeDeployment(turn, await this.#cancelled(turn, { ...deployment, cancelledBy: by }, by));
      await placeRuns(turn);
      return deployment.token;
    });
    await this.#endToken(token);
    this.#ports.wakening.wake();
  }

  /** Returns the approval that an agent passes on from a comment of a member of a forge. */
  commented(stack: StackId, member: string, caller: ApiCaller): Promise<Pick<ApprovalRow, 'by' | 'via'>> {
    return commentedApproval(this.#ports, stack, member, caller);
  }

  /** Approves what waits. The approval names what it approves [AGT-4]. */
  approve(stack: StackId, id: string, approval: Omit<ApprovalRow, 'at'>): Promise<AskedDeployment> {
    return this.#decide(stack, id, (run, { settings }) => {
      const problem = approvalProblem(run, approval, policyIn(settings)?.['others'] === true);
      if (problem !== undefined) throw new Refusal(409, `The deployment cannot be approved: ${problem}.`);
      const at = this.#ports.now();
      return approvedRun(run, { ...approval, at: at.toISOString() }, at);
    });
  }

  /** Denies a run that is not applied yet [AGT-1], also one that an agent has. */
  deny(stack: StackId, id: string, by: string, reason: string | undefined): Promise<AskedDeployment> {
    return this.#decide(stack, id, (run) => {
      if (nextRunStatus(run.status, 'deny') === undefined)
        throw new Refusal(409, `The deployment cannot be denied: its status is ${run.status}.`);
      return deniedRun(run, by, reason, this.#ports.now());
    });
  }

  /** Notes an update that the run of a deployment has made. Previews count where the run is one. */
  async linkUpdate(stack: StackId, { id, dryRun, environment }: NewUpdate): Promise<void> {
    const deploymentId = environment['ci.build.id'];
    if (environment['ci.system'] !== AGENT_SYSTEM || deploymentId === undefined) return;
    await this.turn(stack, async (turn) => {
      const { store } = turn.ports;
      const deployment = (await store.openDeployments(turn.stackId)).find((each) => each.id === deploymentId);
      if (deployment === undefined || dryRun !== isLook(deployment)) return;
      const version = ((await store.history(stack, { size: 1 }))[0]?.number ?? 0) + (dryRun ? 0 : 1);
      await storeDeployment(turn, { ...deployment, updates: [...deployment.updates, { id, version }] });
      // Other clients leave the log at this line and follow the update. They end at operations that they do not know.
      if (deployment.operation.endsWith('-drift')) return;
      await this.addLines(turn, deployment, [
        { header: `pulumi ${deployment.operation}`, timestamp: turn.ports.now().toISOString() },
      ]);
    });
  }

  /** Adds lines to the log of a deployment. */
  async addLines(
    { ports, stackId }: StackTurn,
    { id }: AskedDeployment,
    lines: readonly LogLine[],
  ): Promise<void> {
    if (lines.length === 0) return;
    const range = { from: `${id}.`, below: `${id}.~` };
    const chunks = await ports.store.deploymentRows(stackId, 'logs', range);
    const last = chunks.at(-1)?.id.slice(-PLACE_DIGITS);
    const place = String(last === undefined ? 0 : Number(last) + 1).padStart(PLACE_DIGITS, '0');
    await ports.store.putDeploymentRow(stackId, 'logs', `${id}.${place}`, { lines });
  }

  /** Runs work in the turn of a stack. */
  turn<T>(stack: StackId, work: (turn: StackTurn) => Promise<T>): Promise<T> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      const { id: stackId } = await recordOf(ports, stack);
      const { ends, hooks } = this.#ports;
      return work({ ports, stack, stackId, ends, hooks });
    });
  }

  async #cancelled(turn: StackTurn, deployment: AskedDeployment, by: string): Promise<AskedDeployment> {
    const { run, request } = deployment;
    const why = [`cancelled by ${by}`];
    if (run === undefined) return { ...deployment, request: { ...request, supersededBy: 'cancelled' } };
    if (run.status === 'waiting')
      return { ...deployment, run: deniedRun(run, by, 'cancelled', this.#ports.now()) };
    await endUpdate(turn, deployment);
    return takenFromAgent(turn, moved(turn, deployment, 'fail', why));
  }

  async #decide(
    stack: StackId,
    id: string,
    work: (run: RunRow, deployment: AskedDeployment) => RunRow,
  ): Promise<AskedDeployment> {
    const { decided, token } = await this.turn(stack, async (turn) => {
      const deployment = await foundDeployment(turn.ports.store, turn.stackId, id);
      const { run } = deployment;
      if (run === undefined) throw new Refusal(409, 'The deployment has not begun.');
      const next = { ...deployment, run: work(run, deployment) };
      const isOver = !isOpen(next);
      const stored = await storeDeployment(turn, isOver ? await takenFromAgent(turn, next) : next);
      await placeRuns(turn);
      return { decided: stored, token: isOver ? deployment.token : undefined };
    });
    await this.#endToken(token);
    this.#ports.wakening.wake();
    return decided;
  }

  /** Ends the token of the processes of a run [AGT-15]. */
  async #endToken(token: string | undefined): Promise<void> {
    if (token !== undefined) await this.#ports.store.removeToken(token);
  }

  async #answer(
    stack: StackId,
    find: (stackId: string) => Promise<AskedDeployment>,
  ): Promise<DeploymentAnswer> {
    const { id: stackId } = await this.#ports.stacks.record(stack);
    const [answer] = await this.#answers(stack, stackId, [await find(stackId)]);
    return answer as DeploymentAnswer;
  }

  async #answers(
    stack: StackId,
    stackId: string,
    deployments: readonly AskedDeployment[],
  ): Promise<readonly DeploymentAnswer[]> {
    const { store } = this.#ports;
    const isQueuedAny = deployments.some((each) => wireStatus(each) === 'not-started');
    const open = isQueuedAny ? await store.openDeployments(stackId) : [];
    const waits = waitsOf(open, await workBefore(store, stack, stackId, open));
    const agents = deployments.some(needsAgent) ? await store.listAgents(organizationOf(stack)) : [];
    const [newest] = await store.history(stack, { size: 1 });
    return Promise.all(
      deployments.map(async (deployment) => {
        const records = await Promise.all(
          deployment.updates.map(async ({ id, version }) => ({
            version,
            record: (await store.findUpdate({ stack, id }))?.record,
          })),
        );
        const waitsFor = needsAgent(deployment)
          ? wantedAgent(deployment, agents)
          : waits.get(deployment.request.id);
        return deploymentAnswer(stack, deployment, {
          ...{ records, latest: newest?.number ?? 0, waitsFor },
          page: this.page(stack, deployment.number),
        });
      }),
    );
  }
}

/** Takes a run from the agent that has it. The agent learns of it with its next call: another fence is not its own. */
async function takenFromAgent(turn: StackTurn, deployment: AskedDeployment): Promise<AskedDeployment> {
  const { agent: _agent, token: _token, ...free } = deployment;
  await turn.ports.store.endRunLease(deployment.id);
  return { ...free, fence: deployment.fence + 1 };
}

/** True for a deployment that changes nothing. */
function isLook({ operation }: AskedDeployment): boolean {
  return operation === 'preview' || operation === 'detect-drift';
}
