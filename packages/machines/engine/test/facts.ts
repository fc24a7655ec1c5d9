import { makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap, propertyMap } from '@cairn/values';
import type { Facts, PolicyFacts, ReadFacts } from '../src/decide/facts.js';
import { scopeFacts } from '../src/decide/scope.js';
import type { Answers } from '../src/decide/verdict.js';
import { Ledger } from '../src/ledger/ledger.js';
import type { RunEvent } from '../src/ledger/ledger.js';
import type { Goal, ReadGoal } from '../src/model/goal.js';
import { priorEntries } from '../src/prior/entries.js';
import { priorGraph } from '../src/prior/graph.js';
import { LiveState } from '../src/record/live-state.js';
import { blankGoal } from './blank.js';

/** Returns a URN of the small stack in which rules are tested. */
export const named = (name: string, type = 'a:b:c'): Urn => makeUrn({ project: 'p', stack: 's', type, name });

/** Returns an entry of that stack. */
export const entryOf = (name: string, more: Partial<ResourceEntry> = {}): ResourceEntry =>
  resourceEntry({ urn: named(name), type: 'a:b:c', custom: true, id: name, ...more });

/** Differences from a registration of `res` without any known facts. */
export interface GivenFacts {
  readonly goal?: Partial<Goal>;
  /** Prior entry. Defaults to none. */
  readonly prior?: Partial<ResourceEntry>;
  /** URN under which the prior entry was found. Defaults to its own. */
  readonly oldUrn?: Urn;
  readonly others?: readonly ResourceEntry[];
  readonly noted?: readonly RunEvent[];
  readonly policy?: Partial<PolicyFacts>;
  readonly targets?: readonly string[];
  readonly answers?: Answers;
}

/** Returns facts about the registration of `res`, whose prior entry comes first in the state. */
export function factsOf({
  goal,
  prior,
  oldUrn,
  others = [],
  noted = [],
  policy,
  targets = [],
  answers = {},
}: GivenFacts): Facts {
  const old = prior && entryOf('res', { ...(oldUrn && { urn: oldUrn }), ...prior });
  const live = new LiveState([...(old === undefined ? [] : [old]), ...others]);
  const entries = priorEntries(live.base);
  const view = new Ledger();
  for (const event of noted) view.note(event);
  return {
    goal: {
      ...blankGoal,
      urn: named('res'),
      type: 'a:b:c',
      name: 'res',
      inputs: propertyMap({ k: 2 }),
      ...goal,
    },
    prior: old,
    cell: old && live.base[0],
    oldUrn: old && (oldUrn ?? old.urn),
    view,
    entries,
    graph: priorGraph(entries),
    scope: scopeFacts({ targets, targetDependents: false }),
    policy: { preview: false, mode: 'apply', lookUp: 'none', ...policy },
    answers,
  };
}

/** Returns facts about a read of `res` with the id `res`. */
export function readFactsOf({
  goal,
  ...given
}: Omit<GivenFacts, 'goal'> & { readonly goal?: Partial<ReadGoal> }): ReadFacts {
  const { parent, provider, dependencies, sourcePosition, stackTrace } = blankGoal;
  const blank = { parent, provider, dependencies, sourcePosition, stackTrace };
  const read = { id: 'res', idUnknown: false, properties: emptyMap, additionalSecretOutputs: [] };
  return {
    ...factsOf(given),
    goal: { ...blank, ...read, urn: named('res'), type: 'a:b:c', name: 'res', ...goal },
  };
}
