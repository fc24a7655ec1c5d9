import type { Urn } from '@cairn/addresses';
import type { DataMap } from '@cairn/changes';
import type { Gate, Goal, RollbackOption } from '../model/goal.js';
import { wentWithContainer } from '../model/step.js';
import type { Step } from '../model/step.js';

/** What the program says of the tasks that carry out a registration. */
export interface TaskOptions {
  /** The resource it says it of: steps of a chain that are about others have none of it. */
  readonly urn: Urn;
  /** What a rollback does about it; undefined: what the operation says. */
  readonly rollback: RollbackOption | undefined;
  /** Takes the place of the engine's idempotency token when the object is created. */
  readonly idempotencyKey: string | undefined;
  /** Approvals that are needed before anything is done, outermost first. */
  readonly gates: readonly Gate[];
  /** Digest of what the registration wanted; undefined: it is not stored. */
  readonly goal?: string | undefined;
}

/** What a goal says of its tasks, and its digest; undefined: nothing. */
export function optionsOf(
  { urn, rollback, idempotencyKey, gates }: Goal,
  goal?: string,
): TaskOptions | undefined {
  const says = rollback !== undefined || idempotencyKey !== undefined || gates.length > 0;
  return says || goal !== undefined ? { urn, rollback, idempotencyKey, gates, goal } : undefined;
}

/** What is stored with the task of a step, for whoever goes on with its change. */
export function taskData(step: Step, options: TaskOptions | undefined): DataMap {
  const { urn } = step;
  const itself = { urn, ...(wentWithContainer(step) && { withContainer: true }) };
  if (options === undefined || options.urn !== urn) return itself;
  const { rollback, idempotencyKey, goal } = options;
  return {
    ...itself,
    ...(goal !== undefined && { goal }),
    ...(rollback !== undefined && { rollback }),
    ...(idempotencyKey !== undefined && isCreate(step) && { idempotencyKey }),
  };
}

function isCreate({ kind }: Step): boolean {
  return kind === 'create' || kind === 'create-replacement';
}
