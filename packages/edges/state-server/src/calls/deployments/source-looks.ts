import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { RUN_LEASE_SECONDS } from '@cairn/http-api';
import type { ClaimedLook, LookAnswer, LookRequest } from '@cairn/http-api';
import type { InferOutput } from 'valibot';
import { begunLook, endedLook, sourceSettings } from '../../domain/deployments/sources.js';
import { Refusal } from '../../domain/refusal.js';
import type { AgentRow } from '../../store/deployment-store.js';
import { addStackNotice, openedSettings } from './deployment-ports.js';
import type { StackTurn } from './deployment-ports.js';
import type { DeploymentPorts, Deployments } from './deployments.js';
import { addDeployment, placeRuns } from './place-runs.js';
import { textIn } from './setting-texts.js';
import { SOURCE_ROW, leaseOfLook, knownSource } from './source-rows.js';

type Report = InferOutput<typeof LookRequest>;

/**
 * Looks at sources of stacks. An agent makes them, as it has git and its credentials: one at a time for each stack,
 * under a lease as that of a run [AGT-19].
 */
export class SourceLooks {
  readonly #ports: DeploymentPorts;
  readonly #deployments: Deployments;

  constructor(ports: DeploymentPorts, deployments: Deployments) {
    this.#ports = ports;
    this.#deployments = deployments;
  }

  /** Gives the look at the source of a stack to an agent, if one is due. */
  async take(turn: StackTurn, agent: AgentRow): Promise<ClaimedLook | undefined> {
    const { ports, stack, stackId } = turn;
    const found = await knownSource(turn);
    if (found === undefined || found.isHeld || found.dueAt > ports.now().getTime()) return undefined;
    const pool = textIn(found.settings['agentPoolID']);
    if (pool !== undefined && pool !== agent.pool) return undefined;
    const row = begunLook(found.watched, found.row, agent.name);
    await ports.store.putDeploymentRow(stackId, 'sources', SOURCE_ROW, row);
    await ports.store.keepRunLease(stackId, leaseOfLook(stackId), RUN_LEASE_SECONDS * 1000);
    const settings = await openedSettings(ports, stack, sourceSettings(found.settings));
    return {
      ...{ organization: organizationOf(stack), project: stack.project, stack: stack.stack },
      ...{ fence: row.fence, settings },
    };
  }

  /**
   * Stores what the agent that looks has found, or renews its lease. A tree that was not seen before asks for an
   * operation at its commit. Refuses other agents (409).
   */
  async attend(stack: StackId, report: Report): Promise<LookAnswer> {
    const head = report.head ?? undefined;
    const why = report.why ?? undefined;
    const answer = await this.#deployments.turn(stack, async (turn): Promise<LookAnswer> => {
      const { store } = turn.ports;
      const found = await knownSource(turn);
      const row = found?.row;
      const isOwn = row?.agent === report.agent && row.fence === report.fence;
      if (found === undefined || row === undefined || !isOwn || found.watched.of !== row.of)
        throw new Refusal(409, 'The look belongs to another agent, or has ended.');
      const result = head ?? (why === undefined ? undefined : { why });
      if (result === undefined) {
        await store.keepRunLease(turn.stackId, leaseOfLook(turn.stackId), RUN_LEASE_SECONDS * 1000);
        return {};
      }
      const ended = endedLook(row, result, turn.ports.now());
      const asked =
        ended.isNews && head !== undefined
          ? await ask(turn, found.watched.operation, head.commit)
          : undefined;
      if (ended.isNews && head === undefined) await addFailure(turn, String(why));
      await store.putDeploymentRow(turn.stackId, 'sources', SOURCE_ROW, ended.row);
      await store.endRunLease(leaseOfLook(turn.stackId));
      await placeRuns(turn);
      return { ...(asked !== undefined && { deployment: asked }) };
    });
    if (answer.deployment !== undefined || why !== undefined) this.#ports.wakening.wake();
    return answer;
  }
}

/** Asks for an operation at a commit. Returns its id, or undefined if it joined an open one. */
async function ask(
  turn: StackTurn,
  operation: 'update' | 'preview',
  commit: string,
): Promise<string | undefined> {
  const added = await addDeployment(turn, {
    ...{ operation, by: 'source', initiator: 'source', isPerson: false, inherit: true, settings: {} },
    request: { commit },
  });
  return added?.id;
}

function addFailure(turn: StackTurn, why: string): Promise<void> {
  return addStackNotice(turn, { type: 'source-failed', data: { why } });
}
