import { didNothing } from '@cairn/backends';
import type { ChangeLineage, StackLease } from '@cairn/backends';
import type { DoubtResolution } from '@cairn/engine';
import { whoAsks } from '../access/this-process.js';
import { continuationOf } from '../operation/continuation.js';
import type { RunOptions, Ended, RequestedOperation, Outcome } from '../operation/operation.js';
import { agree, showPreview } from '../operation/pass.js';
import type { ShownPreview } from '../operation/pass.js';
import type { Prepared } from '../operation/prepared.js';
import { runRecorded } from '../operation/run-recorded.js';
import { withManager } from '../operation/state-of-stack.js';
import type { Pass, Purpose } from '../pass-view.js';

/** Options of a rollback. */
export type RollbackOptions = Pick<RequestedOperation, 'options' | 'projectPolicy'>;

/** Options of a rollback run. */
export interface RollbackRunOptions extends RunOptions {
  /** Only shows its effect. */
  readonly previewOnly?: boolean | undefined;
}

/** Previews, confirms and runs the rollback of a lineage under a lease. */
export async function rollBackLineage(
  prepared: Prepared,
  going: RollbackOptions,
  runOptions: RollbackRunOptions,
  lease: StackLease,
  lineage: ChangeLineage,
): Promise<Outcome> {
  if (lineage.changes.every(({ row }) => didNothing(row)))
    return nothingToTakeBack(prepared, going, runOptions, lease, lineage);
  if (runOptions.previewOnly === true || runOptions.preview === true) {
    const shown = await previewed(prepared, going, runOptions, lease, lineage, {});
    if (runOptions.previewOnly === true || shown.result.summary.result !== 'succeeded') return shown;
    await agree(shown, runOptions);
  }
  return rollBackAgain(prepared, going, runOptions, lease, lineage, purposeOf(lineage));
}

/** Shows the effect of the rollback of a lineage, without doing any of it. */
async function previewed(
  prepared: Prepared,
  going: RollbackOptions,
  runOptions: RunOptions,
  lease: StackLease,
  lineage: ChangeLineage,
  more: Pick<Pass, 'nothingToDo'>,
): Promise<ShownPreview> {
  return showPreview(
    prepared,
    { ...going, kind: 'rollback' },
    runOptions,
    { purpose: purposeOf(lineage), ...more },
    {
      base: withManager(prepared, lease.snapshot),
      continuation: await continuationOf(prepared, lease, lineage, 'rollback'),
    },
  );
}

function purposeOf(lineage: ChangeLineage): Purpose {
  return { t: 'rollback', change: Number(lineage.origin) };
}

/** Reports that there is nothing to roll back, and leaves every other change alone. */
async function nothingToTakeBack(
  prepared: Prepared,
  going: RollbackOptions,
  runOptions: RollbackRunOptions,
  lease: StackLease,
  lineage: ChangeLineage,
): Promise<Outcome> {
  const shown = await previewed(prepared, going, runOptions, lease, lineage, { nothingToDo: true });
  const { ports, backend, id } = prepared;
  // After this, a resume without a change does not mean this one.
  if (runOptions.previewOnly !== true)
    await backend.tell(id, Number(lineage.origin), { t: 'abort', rollback: true, by: whoAsks() });
  const earlier = await backend.newestChange(id, ({ result }) => result !== 'nothing');
  ports.interaction.notice({ t: 'nothing-to-roll-back', change: Number(lineage.origin), earlier });
  return shown;
}

/** Runs the rollback, without preview and question. */
export async function rollBackAgain(
  prepared: Prepared,
  going: RollbackOptions,
  runOptions: RunOptions,
  lease: StackLease,
  lineage: ChangeLineage,
  purpose: Purpose,
  answers?: ReadonlyMap<string, DoubtResolution>,
): Promise<Ended> {
  return runRecorded(prepared, { ...going, kind: 'rollback' }, runOptions, purpose, lease, {
    base: withManager(prepared, lease.snapshot),
    continuation: await continuationOf(prepared, lease, lineage, 'rollback', answers),
  });
}
