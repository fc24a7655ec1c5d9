import { OUR_OPTIONS } from '@cairn/wire';
import { isRollbackOption } from '../../model/goal.js';
import type { Gate } from '../../model/goal.js';
import { invalid } from '../refusal.js';
import type { SaidOptions } from '../resources.js';
import type { Pass } from './draft.js';

/**
 * A component that a plugin constructs has the options of our own that the program said of it, because the plugin
 * cannot repeat them.
 */
export const saidForPlugin: Pass = ({ request, goal }, { resources }) => {
  const said = resources.constructing(goal.urn);
  return said === undefined ? undefined : { request: { ...request, ...said, ...saidOf(request) } };
};

/**
 * What a rollback does about the resource, its idempotency key, and the approvals it needs. The first comes from the
 * parent when it is not said; approvals add to those of the parent.
 */
export const recoveryOptions: Pass = ({ request, goal, parent }) => {
  const { rollback, idempotencyKey, gate } = request;
  const gates = parent?.gates ?? [];
  return {
    goal: {
      rollback: rollback === undefined ? parent?.rollback : rollbackOf(rollback),
      idempotencyKey,
      gates: gate === undefined ? gates : [...gates, { urn: goal.urn, reason: gate } satisfies Gate],
    },
  };
};

/** The options of our own that the request has, without those that it leaves open. */
export function saidOf(request: SaidOptions): SaidOptions {
  const said = OUR_OPTIONS.filter((option) => request[option] !== undefined);
  return Object.fromEntries(said.map((option) => [option, request[option]]));
}

function rollbackOf(text: string) {
  if (isRollbackOption(text)) return text;
  throw invalid(`rollback ${JSON.stringify(text)} is none of "auto", "hold" and "retain"`);
}
