import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { checkedInputs } from '../decide/check-inputs.js';
import { startsAfresh } from '../decide/facts.js';
import type { Facts } from '../decide/facts.js';
import { withoutLateInputs } from '../decide/late-inputs.js';
import type { Step } from '../model/step.js';

/** One decision about a registration, in the form that plans use. */
export interface Decision {
  readonly facts: Facts;
  /** Inputs of the prior entry that count for the resource, and the inputs it should have. */
  readonly olds: PropertyMap;
  readonly news: PropertyMap;
  /** True if an import ran before this decision: goal and inputs were judged then. */
  readonly resumed: boolean;
}

/**
 * Returns the decision to carry out a chain. Imports have no inputs yet, and resources out of scope keep theirs. A
 * resource that is created from scratch has nothing to compare with [PLAN-2]. Late inputs are left open [REG-19].
 */
export function decisionOf(facts: Facts, chain: readonly Step[]): Decision {
  const resumed = facts.answers.imported !== undefined;
  const [first] = chain;
  if (first?.kind === 'import' || first?.kind === 'import-replacement') {
    return { facts, olds: emptyMap, news: emptyMap, resumed };
  }
  const { lateInputs } = facts.goal;
  const olds = withoutLateInputs(facts.prior?.inputs ?? emptyMap, lateInputs);
  if (first?.kind === 'same' && first.untargeted) return { facts, olds, news: olds, resumed };
  const news = withoutLateInputs(checkedInputs(facts), lateInputs);
  return { facts, olds: startsAfresh(facts) ? emptyMap : olds, news, resumed };
}

/** Returns the decision to leave a new resource out of the operation's scope. Its inputs have not been checked. */
export function leftOutDecision(facts: Facts): Decision {
  return { facts, olds: emptyMap, news: facts.goal.inputs, resumed: false };
}
