import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { eachReference, walk } from '@cairn/state';
import type { Next } from '@cairn/state';
import type { Facts } from './facts.js';
import { goalReferences } from './goal-references.js';
import type { GoalReferences } from './goal-references.js';
import { isLimited } from './scope.js';

/** Goal that takes part, registered or read, and its context. */
type Turned = Pick<Facts, 'prior' | 'view' | 'entries' | 'graph' | 'scope'> & {
  readonly goal: GoalReferences & { readonly urn: Urn };
};

/**
 * Returns the error for a dependency that a program reverses under targets or excludes. An unchanged resource also
 * keeps its dependencies. A resource in scope that now depends on it, directly or through others in scope, must not be
 * one of them: the state would have no order.
 */
export function turnedAround(facts: Turned): Diagnostic | undefined {
  const { goal, prior, view, entries, graph, scope } = facts;
  if (!isLimited(scope) || prior === undefined) return undefined;
  const stays = (urn: Urn) => {
    const cell = entries.live(view.oldUrn(urn) ?? urn);
    if (cell === undefined) return undefined;
    const isOut = view.isUntouched(view.claimedBy(urn) ?? urn) || view.isKept(cell);
    return isOut || (scope.targets.constrained && !view.isMatched(cell)) ? cell : undefined;
  };
  const waiting = new Set(
    [...graph.dependents(prior.urn)].filter(({ entry }) => stays(entry.urn) !== undefined),
  );
  if (waiting.size === 0) return undefined;
  const needs: Next<Urn> = (urn, enter) => {
    const entry = stays(urn)?.entry ?? view.entry(view.claimedBy(urn) ?? urn);
    if (entry !== undefined) eachReference(entry, enter);
  };
  for (const urn of walk(goalReferences(goal), needs)) {
    const cell = stays(urn);
    if (cell !== undefined && waiting.has(cell)) return circular(goal.urn, scope.targets.constrained);
  }
  return undefined;
}

function circular(urn: Urn, isTargeted: boolean): Diagnostic {
  return errorDiagnostic(
    'CAIRN-RESOURCE-CYCLE',
    `${urn} depends on a resource that is ${isTargeted ? 'no target' : 'excluded'} and still depends on it`,
    { urn, hint: 'Include both in one operation, or run up on everything.' },
  );
}
