import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { checkedInputs } from '../decide/check-inputs.js';
import { startsAfresh } from '../decide/facts.js';
import type { Facts } from '../decide/facts.js';
import { withoutLateInputs } from '../decide/late-inputs.js';
import type { Step } from '../model/step.js';

/** One decision about a registration, as plans see it. */
export interface Decision {
  readonly facts: Facts;
  /** Inputs of the prior entry that count for the resource, and those it is to have. */
  readonly olds: PropertyMap;
  readonly news: PropertyMap;
  /** An import was carried out before this decision: goal and inputs were judged then. */
  readonly resumed: boolean;
}

/**
 * The decision to carry out a chain. Imports have no inputs yet; what is out of scope keeps its own; what is created
 * anew has nothing to compare with [PLAN-2]. Late inputs are left open [REG-19].
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

/** The decision to leave a new resource out of the operation's scope: nothing has checked its inputs. */
export function leftOutDecision(facts: Facts): Decision {
  return { facts, olds: emptyMap, news: facts.goal.inputs, resumed: false };
}
