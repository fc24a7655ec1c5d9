import type { Urn } from '@cairn/addresses';
import type { DataMap } from '@cairn/changes';
import type { RollbackOption } from '@cairn/wire';
import type { ResourceGate, Goal } from '../model/goal.js';
import { wentWithContainer } from '../model/step.js';
import type { Step } from '../model/step.js';

/** Program's options for the tasks that carry out a registration. */
export interface TaskOptions {
  /** Resource of the options. Steps of a chain that are about other resources have none. */
  readonly urn: Urn;
  /** Treatment in a rollback. Defaults to the operation's setting. */
  readonly rollback: RollbackOption | undefined;
  /** Replaces the engine's idempotency token when the object is created. */
  readonly idempotencyKey: string | undefined;
  /** Approvals required before any step, outermost first. */
  readonly gates: readonly ResourceGate[];
  /** Digest of the registration's goal. Undefined if it is not stored. */
  readonly goal?: string | undefined;
}

/** Returns a goal's options for its tasks, and its digest. Undefined if there are neither. */
export function taskOptions(
  { urn, rollback, idempotencyKey, gates }: Goal,
  goal?: string,
): TaskOptions | undefined {
  const says = rollback !== undefined || idempotencyKey !== undefined || gates.length > 0;
  return says || goal !== undefined ? { urn, rollback, idempotencyKey, gates, goal } : undefined;
}

const NONE: Partial<TaskOptions> = {};

/** Returns the data stored with the task of a step, for a later operation that continues its change. */
export function taskData(step: Step, options: TaskOptions | undefined): DataMap {
  const { urn } = step;
  const { rollback, idempotencyKey, goal } = options?.urn === urn ? options : NONE;
  // Made at once: a field that is added later would take a list of its own.
  const data: Record<string, unknown> = goal === undefined ? { urn } : { urn, goal };
  if (wentWithContainer(step)) data['withContainer'] = true;
  if (rollback !== undefined) data['rollback'] = rollback;
  if (idempotencyKey !== undefined && isCreate(step)) data['idempotencyKey'] = idempotencyKey;
  return data;
}

function isCreate({ kind }: Step): boolean {
  return kind === 'create' || kind === 'create-replacement';
}
