import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { eachReference, refersToAny, walk } from '@cairn/state';
import type { Next } from '@cairn/state';
import type { Cell } from '../model/cell.js';
import type { Facts } from './facts.js';
import { goalReferences } from './goal-references.js';
import type { Referring } from './goal-references.js';
import { isLimited } from './scope.js';

/** A goal that takes part, registered or read, and its surroundings. */
type Turned = Pick<Facts, 'prior' | 'view' | 'entries' | 'graph' | 'scope'> & {
  readonly goal: Referring & { readonly urn: Urn };
};

/**
 * A resource kept as it was also keeps what it depends on. Something in scope that now depends on it must not be among
 * that: the state would have no order. Only met when a program turns a dependency around under targets or excludes.
 */
export function turnedAround(facts: Turned): Diagnostic | undefined {
  const { goal, prior, view, entries, graph, scope } = facts;
  if (!isLimited(scope) || prior === undefined || graph.dependents(prior.urn).size === 0) return undefined;
  const stays = (urn: Urn) => {
    const cell = entries.live(view.oldUrn(urn) ?? urn);
    if (cell === undefined) return undefined;
    const isOut = view.isUntouched(view.claimedBy(urn) ?? urn) || view.isKept(cell);
    return isOut || (scope.targets.constrained && !view.isMatched(cell)) ? cell : undefined;
  };
  const turnedTo = new Set([prior.urn]);
  const roots = [...goalReferences(goal)].flatMap((urn) => stays(urn) ?? []);
  const needs: Next<Cell> = ({ entry }, enter) =>
    eachReference(entry, (urn) => {
      const cell = stays(urn);
      if (cell !== undefined) enter(cell);
    });
  for (const { entry } of walk(roots, needs))
    if (refersToAny(entry, turnedTo)) return circular(goal.urn, scope.targets.constrained);
  return undefined;
}

function circular(urn: Urn, isTargeted: boolean): Diagnostic {
  return errorDiagnostic(
    'CAIRN-RESOURCE-CYCLE',
    `${urn} depends on a resource that is ${isTargeted ? 'no target' : 'excluded'} and still depends on it`,
    { urn, hint: 'Take both into one operation, or run up on everything.' },
  );
}
