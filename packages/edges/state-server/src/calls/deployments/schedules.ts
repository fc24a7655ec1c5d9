import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import type { ScheduleAnswer } from '@cairn/http-api';
import type { ScheduleRow, SealedSettings } from '../../domain/deployments/deployment.js';
import { checkCron, scheduleAnswer, scheduleLook } from '../../domain/deployments/schedules.js';
import { Refusal } from '../../domain/refusal.js';
import type { ApiCaller } from '../caller.js';
import { sealedSettings } from './deployment-ports.js';
import type { StackTurn } from './deployment-ports.js';
import type { Deployments } from './deployments.js';
import { needNamedStacks, storedSettings } from './named-stacks.js';
import { placeRuns } from './place-runs.js';

/** Most schedules of a stack. */
const MOST = 50;

/** Contents of a schedule, as a request has them. Its secrets are open. */
export type ScheduleContents = Pick<
  ScheduleRow,
  'kind' | 'operation' | 'cron' | 'once' | 'zone' | 'jitter' | 'then'
> & {
  readonly settings: SealedSettings;
};

/** Schedules of stacks. */
export class Schedules {
  readonly #deployments: Deployments;

  constructor(deployments: Deployments) {
    this.#deployments = deployments;
  }

  list(stack: StackId): Promise<readonly ScheduleAnswer[]> {
    return this.#deployments.turn(stack, async ({ ports, stackId }) => {
      const rows = await ports.store.deploymentRows(stackId, 'schedules');
      return rows.map(({ row }) => scheduleAnswer(row, organizationOf(stack)));
    });
  }

  get(stack: StackId, id: string): Promise<ScheduleAnswer> {
    return this.#deployments.turn(stack, async (turn) =>
      scheduleAnswer(await found(turn, id), organizationOf(stack)),
    );
  }

  /** Makes a schedule. Refuses one of a stack without settings. */
  create(stack: StackId, contents: ScheduleContents, caller: ApiCaller): Promise<ScheduleAnswer> {
    return this.#deployments.turn(stack, async (turn) => {
      const { store, newId, now } = turn.ports;
      if ((await store.deploymentRows(turn.stackId, 'settings')).length === 0)
        throw new Refusal(
          400,
          'The stack has no deployment settings. Make them with `cairn deployment settings edit`.',
        );
      const others = await store.deploymentRows(turn.stackId, 'schedules');
      if (others.length >= MOST) throw new Refusal(409, `The stack has ${MOST} schedules already.`);
      const at = now().toISOString();
      const row = { id: newId(), paused: false, by: caller.name, created: at, modified: at };
      return this.#put(turn, { ...row, ...(await checked(turn, contents, caller)) });
    });
  }

  /** Replaces the contents of a schedule of the same kind. */
  change(stack: StackId, id: string, contents: ScheduleContents, caller: ApiCaller): Promise<ScheduleAnswer> {
    return this.#deployments.turn(stack, async (turn) => {
      const { kind, paused, by, created } = await found(turn, id);
      if (kind !== contents.kind) throw new Refusal(400, `The schedule is of the kind ${kind}.`);
      const modified = turn.ports.now().toISOString();
      return this.#put(turn, {
        id,
        paused,
        by,
        created,
        modified,
        ...(await checked(turn, contents, caller)),
      });
    });
  }

  /** Pauses or resumes a schedule. Times that passed while it was paused are not made up for. */
  setPaused(stack: StackId, id: string, paused: boolean): Promise<ScheduleAnswer> {
    return this.#deployments.turn(stack, async (turn) => {
      const row = await found(turn, id);
      return this.#put(turn, { ...row, paused, modified: turn.ports.now().toISOString() });
    });
  }

  remove(stack: StackId, id: string): Promise<void> {
    return this.#deployments.turn(stack, async (turn) => {
      await found(turn, id);
      await turn.ports.store.removeDeploymentRows(turn.stackId, 'schedules', { from: id, below: `${id}!` });
      await placeRuns(turn);
    });
  }

  /** Stores a schedule, with the mark of a first look. */
  async #put(turn: StackTurn, changed: ScheduleRow): Promise<ScheduleAnswer> {
    const row = changed.cron === undefined ? changed : scheduleLook(changed, turn.ports.now()).row;
    await turn.ports.store.putDeploymentRow(turn.stackId, 'schedules', row.id, row);
    await placeRuns(turn);
    return scheduleAnswer(row, organizationOf(turn.stack));
  }
}

async function found({ ports, stackId }: StackTurn, id: string): Promise<ScheduleRow> {
  const isId = /^[0-9a-f-]{1,40}$/.test(id);
  const [row] = isId
    ? await ports.store.deploymentRows(stackId, 'schedules', { from: id, below: `${id}!` })
    : [];
  if (row === undefined) throw new Refusal(404, 'Schedule not found.');
  return row.row;
}

async function checked(
  turn: StackTurn,
  contents: ScheduleContents,
  caller: ApiCaller,
): Promise<ScheduleContents> {
  const { cron, once } = contents;
  if ((cron === undefined) === (once === undefined))
    throw new Refusal(400, 'A schedule has scheduleCron or scheduleOnce, one of them.');
  if (cron !== undefined) checkCron(cron, contents);
  if (Object.keys(contents.settings).length > 0)
    await needNamedStacks(caller, turn.stack, await storedSettings(turn.ports.store, turn.stackId));
  return { ...contents, settings: await sealedSettings(turn.ports, turn.stack, contents.settings) };
}
