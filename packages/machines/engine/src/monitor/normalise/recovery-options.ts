import { OUR_OPTIONS } from '@cairn/wire';
import { isRollbackOption } from '../../model/goal.js';
import type { ResourceGate } from '../../model/goal.js';
import { invalid } from '../refusal.js';
import type { SaidOptions } from '../resources.js';
import type { NormalisePass } from './draft.js';

/**
 * Adds the options of our own that the program set to a component that a plugin constructs, because the plugin cannot
 * repeat them.
 */
export const saidForPlugin: NormalisePass = ({ request, goal }, { resources }) => {
  const said = resources.constructing(goal.urn);
  return said === undefined ? undefined : { request: { ...request, ...said, ...saidOf(request) } };
};

/**
 * Sets the rollback option of the resource, its idempotency key, and the approvals it needs. An unset rollback option
 * is inherited from the parent; approvals add to those of the parent.
 */
export const recoveryOptions: NormalisePass = ({ request, goal, parent }) => {
  const { rollback, idempotencyKey, gate } = request;
  const gates = parent?.gates ?? [];
  return {
    goal: {
      rollback: rollback === undefined ? parent?.rollback : rollbackOf(rollback),
      idempotencyKey,
      gates: gate === undefined ? gates : [...gates, { urn: goal.urn, reason: gate } satisfies ResourceGate],
    },
  };
};

/** Returns the options of our own that the request sets. */
export function saidOf(request: SaidOptions): SaidOptions {
  const said = OUR_OPTIONS.filter((option) => request[option] !== undefined);
  return Object.fromEntries(said.map((option) => [option, request[option]]));
}

function rollbackOf(text: string) {
  if (isRollbackOption(text)) return text;
  throw invalid(`rollback ${JSON.stringify(text)} is not one of "auto", "hold" and "retain"`);
}
