import { OUR_OPTIONS } from '@cairn/wire';
import { isRollbackOption } from '../../model/goal.js';
import type { Gate } from '../../model/goal.js';
import { invalid } from '../refusal.js';
import type { SaidOptions } from '../resources.js';
import type { Pass } from './draft.js';

/**
 * What a rollback does about the resource, its idempotency key, and the approvals it needs: options of our own. The
 * first comes from the parent when it is not said; approvals add to those of the parent. A component that a plugin
 * constructs has what the program said of it, because the plugin cannot repeat it.
 */
export const recoveryOptions: Pass = ({ request, goal, parent }, { resources }) => {
  const said = { ...resources.constructing(goal.urn), ...saidOf(request) };
  const gates = parent?.gates ?? [];
  return {
    goal: {
      rollback: said.rollback === undefined ? parent?.rollback : rollbackOf(said.rollback),
      idempotencyKey: said.idempotencyKey,
      gates:
        said.gate === undefined ? gates : [...gates, { urn: goal.urn, reason: said.gate } satisfies Gate],
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
