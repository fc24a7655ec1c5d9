import type { Block } from '../schema/index.js';
import { impliedType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { equalValues, isWhollyKnown } from '../values/index.js';

/** Action on an object. */
export type Action = 'none' | 'create' | 'update' | 'replace' | 'delete';

/** Reason for the replacement of an object. */
export type ReplaceReason = 'tainted' | 'asked for' | 'required';

/** Facts that decide about the action. */
interface ActionFacts {
  readonly block: Block;
  /** Prior state, even of a tainted object. */
  readonly prior: TfValue;
  readonly planned: TfValue;
  readonly tainted: boolean;
  /** True if the user requested a replacement. */
  readonly forced: boolean;
  readonly kept: readonly TfPath[];
  /** True if a write-only attribute is among the kept paths. */
  readonly writeOnly: boolean;
}

/** Action, with its reason for a replacement. */
interface ChosenAction {
  readonly action: Action;
  readonly reason?: ReplaceReason;
}

type Rule = readonly [when: (facts: ActionFacts) => boolean, then: ChosenAction];

/** Rules in order; the first that applies decides [TFC-10]. */
const RULES: readonly Rule[] = [
  [({ prior, planned }) => prior === null && planned === null, { action: 'none' }],
  [({ planned }) => planned === null, { action: 'delete' }],
  [({ prior }) => prior === null, { action: 'create' }],
  [({ tainted }) => tainted, { action: 'replace', reason: 'tainted' }],
  [({ writeOnly }) => writeOnly, { action: 'replace', reason: 'required' }],
  [(facts) => !facts.forced && unchanged(facts), { action: 'none' }],
  [({ kept }) => kept.length > 0, { action: 'replace', reason: 'required' }],
  [({ forced }) => forced, { action: 'replace', reason: 'asked for' }],
];

/** Returns the action of a plan. */
export function chooseAction(facts: ActionFacts): ChosenAction {
  return RULES.find(([when]) => when(facts))?.[1] ?? { action: 'update' };
}

function unchanged({ block, prior, planned }: ActionFacts): boolean {
  return isWhollyKnown(prior) && isWhollyKnown(planned) && equalValues(impliedType(block), prior, planned);
}
