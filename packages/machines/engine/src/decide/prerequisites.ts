import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { eachReference, needsFirst, references } from '@cairn/state';
import type { ReferenceKind, ResourceEntry } from '@cairn/state';
import type { Cell } from '../model/cell.js';
import { isRead } from './facts.js';
import type { Facts, ReadFacts } from './facts.js';
import { goalReferences } from './goal-references.js';
import { isInScope } from './scope.js';

/** What the walk looks at. */
type RunSoFar = Pick<Facts, 'entries' | 'view' | 'scope'>;

/**
 * Prior entries that nobody has registered so far and that have to stand before the goal's entry: what an entry that
 * stays as it was refers to, and what a goal under targets refers to in the old state [TGT-7]. Depth first, so that
 * everything comes after what it refers to itself; each entry once in a run. Pending deletes are not meant.
 */
export function unregisteredPrerequisites(facts: Facts | ReadFacts): readonly Cell[] {
  const { goal, prior, scope, view } = facts;
  if (!isRead(facts) && !isInScope(facts))
    return prior === undefined ? [] : unregistered(references(prior), facts);
  if (!scope.targets.constrained) return [];
  return unregistered(
    [...goalReferences(goal)].filter((urn) => view.progress(urn) === undefined),
    facts,
  );
}

/** What is odd about an entry that is to stay: it refers to something that the state does not hold. */
export function missingReference(facts: Facts): Diagnostic | undefined {
  const { prior, entries, view } = facts;
  let missing: Diagnostic | undefined;
  if (prior === undefined) return undefined;
  eachReference(prior, (urn, kind) => {
    if (entries.all(urn).length === 0 && view.progress(urn) === undefined)
      missing ??= hasNoOldState(prior, urn, kind);
  });
  return missing;
}

/** What stands behind the roots in the old state, the deepest first. */
function unregistered(roots: Iterable<Urn>, run: RunSoFar): readonly Cell[] {
  const cellsOf = (urns: Iterable<Urn>) =>
    [...urns].flatMap((urn) => {
      const cell = run.entries.live(urn);
      return cell === undefined || hasStep(cell, run) ? [] : [cell];
    });
  return needsFirst(cellsOf(roots), (cell) => cellsOf(references(cell.entry)));
}

/** Registered in this run, kept before, or on its way out. */
function hasStep(cell: Cell, { view }: RunSoFar): boolean {
  return (
    cell.gone || cell.entry.delete || view.isMatched(cell) || view.isKept(cell) || view.isCondemned(cell)
  );
}

const KINDS: Readonly<Record<ReferenceKind, string>> = {
  provider: 'provider',
  parent: 'parent',
  dependency: 'dependency',
  'property-dependency': 'property dependency',
  'deleted-with': 'deleted-with',
  'replace-with': 'replace-with',
};

function hasNoOldState({ urn }: ResourceEntry, needed: Urn, kind: ReferenceKind): Diagnostic {
  return errorDiagnostic(
    'CAIRN-STATE-INTEGRITY',
    `${KINDS[kind]} ${needed} of untargeted resource ${urn} has no old state`,
    { urn, hint: 'Run up without --target and --exclude.' },
  );
}
