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

/** Facts for the walk. */
type RunSoFar = Pick<Facts, 'entries' | 'view' | 'scope'>;

/**
 * Returns prior entries that are not registered so far and that must precede the goal's entry [TGT-7]. These are the
 * references of an unchanged entry, and those of a goal under targets that are in the old state. Depth first, so that
 * everything follows its own references. Each entry occurs once in a run. Pending deletes are omitted.
 */
export function unregisteredPrerequisites(facts: Facts | ReadFacts): readonly Cell[] {
  const { goal, prior, scope, view } = facts;
  if (!isRead(facts) && !isInScope(facts))
    return prior === undefined ? [] : unregistered(references(prior), facts);
  if (!scope.targets.constrained) return [];
  return unregistered(
    goalReferences(goal).filter((urn) => view.progress(urn) === undefined),
    facts,
  );
}

/** Makes the error for a kept entry that refers to something missing in the state. */
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

/** Returns the roots and their references in the old state, the deepest first. */
function unregistered(roots: readonly Urn[], run: RunSoFar): readonly Cell[] {
  const cellsOf = (urns: readonly Urn[]) =>
    urns.flatMap((urn) => {
      const cell = run.entries.live(urn);
      return cell === undefined || hasStep(cell, run) ? [] : [cell];
    });
  return needsFirst(cellsOf(roots), (cell) => cellsOf(references(cell.entry)));
}

/** Returns true if the entry was registered in this run, was already kept, or is being deleted. */
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
