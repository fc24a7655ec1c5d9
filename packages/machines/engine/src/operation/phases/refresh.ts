import type { Urn } from '@cairn/addresses';
import type { LookUp } from '../../decide/operation-phases.js';
import type { ScopeFacts } from '../../decide/facts.js';
import { selectRefreshes } from '../../decide/refresh-selection.js';
import { refreshStep } from '../../model/make-step.js';
import type { Cell } from '../../model/cell.js';
import { rebuildReferences, withRenamedReferences } from '../../prior/rebuild.js';
import { LiveState } from '../../record/live-state.js';
import type { Recorder } from '../../record/recorder.js';
import type { Run } from '../run.js';

/** Parts that reading entries needs. */
type Refresh = Pick<Run, 'chains' | 'recorder' | 'report'>;

/**
 * Reads the selected entries in parallel, each on its own: an error stops no sibling [REF-2]. Then the base is rebuilt
 * from the findings. `first`: selects the entries; mode 2 reads only those that request a read before every update.
 * `done`: entries that the lineage has read already. Returns true if all of them could be read.
 */
export async function refreshPhase(
  run: Refresh,
  scope: ScopeFacts,
  first: LookUp,
  done: ReadonlySet<Urn> = NOTHING,
): Promise<boolean> {
  const { recorder } = run;
  const wanted = first === 'none' ? [] : selectRefreshes(recorder.live.base, scope, first === 'flagged');
  const selected = first === 'all' ? wanted.filter(({ entry }) => !done.has(entry.urn)) : wanted;
  if (selected.length === 0) return true;
  const complete = await lookUp(run, selected, first === 'flagged' ? 'before-update' : 'user');
  rebuildBase(recorder);
  return complete;
}

const NOTHING: ReadonlySet<Urn> = new Set();

/** Rebuilds the base from the findings so far. All later work starts from it. */
export function rebuildBase(recorder: Recorder): void {
  repairReferences(recorder);
  recorder.rebase(new LiveState(recorder.live.entries()));
}

/**
 * Reads the selected entries that no registration has read, through their providers in state [REF-5]. These are the
 * ones that the program does not register or could only leave out.
 */
export async function refreshRest(run: Refresh & Pick<Run, 'ledger'>, scope: ScopeFacts): Promise<void> {
  const selected = selectRefreshes(run.recorder.live.base, scope, false);
  const rest = selected.filter((cell) => !cell.gone && !run.ledger.isProcessed(cell));
  await lookUp(run, rest, 'user');
}

/**
 * Makes every entry refer to existing entries: renamed ones under their present name, missing ones not at all. Writes
 * the changes that a replay of the journal does not make. A replay learns new names only after it has dropped dangling
 * references, and it knows no ancestors of parents [JRN-5].
 */
export function repairReferences(recorder: Recorder): void {
  const { live } = recorder;
  const present = (urn: Urn) => live.presentUrn(urn);
  const renamed = ({ entry }: Cell) => (live.hasRenamed ? withRenamedReferences(entry, present) : entry);
  const cells = live.cells();
  const named = cells.map(renamed);
  const gone = live.base.filter((cell) => cell.gone).map(renamed);
  const repaired = rebuildReferences(named, gone);
  cells.forEach((cell, index) => {
    const { entry } = cell;
    const right = repaired[index] ?? entry;
    if (right === entry) return;
    const isWritten = named[index] !== entry || (right.parent !== undefined && right.parent !== entry.parent);
    if (isWritten) recorder.found(cell, right);
    else live.set(cell, right, cell.unwritten);
  });
}

async function lookUp(
  { chains, report }: Refresh,
  cells: readonly Cell[],
  asked: 'user' | 'before-update',
): Promise<boolean> {
  const ends = await Promise.all(cells.map((cell) => chains.run([refreshStep(cell, asked)], true)));
  for (const end of ends) if (end.t === 'failed') report.diagnostic(end.diagnostic);
  return ends.every((end) => end.t === 'done');
}
