import { isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { StackId } from '../../stack-id.js';
import type { StoredChange } from '../../model/change-row.js';
import { settlesDoubts } from './retention.js';
import { rowOf } from './change-rows.js';
import { LookedChanges } from './looked-changes.js';
import { storedChange } from './read-changes.js';
import { heldWhole } from './change-files.js';
import type { ChangeFiles } from './change-files.js';
import type { RecordSource } from './read-changes.js';

/**
 * Returns the changes that must be read to know which steps are in doubt, oldest first. Looks back to the last change
 * that ended well, and those that ran beside it. Begins with the first of these that left a step in doubt: later ones
 * may have resolved it. Empty for a stack in order. Damage is reported as a warning.
 */
export async function changesInDoubt(
  { store }: RecordSource,
  id: StackId,
  looked?: LookedChanges,
): Promise<{ readonly changes: readonly StoredChange[]; readonly warnings: readonly Diagnostic[] }> {
  try {
    const open: ChangeFiles[] = [];
    let settledFrom: string | undefined;
    const all = looked ?? (await LookedChanges.of(store, id));
    for await (const row of all.newestFirst()) {
      const files = await all.files(row);
      if (files === undefined || files.result === 'nothing' || files.sealed?.setAside === true) continue;
      if (settledFrom !== undefined && files.base !== settledFrom) break;
      open.unshift(files);
      if (!settlesDoubts(files)) continue;
      settledFrom ??= files.base;
      if (heldWhole(files)) break;
    }
    const first = open.findIndex(({ tasks }) => tasks.doubt > 0);
    const wanted = first === -1 ? [] : open.slice(first);
    const changes: StoredChange[] = [];
    for (const files of wanted)
      changes.push(await storedChange(store, id, files, rowOf(files, false, false)));
    return { changes, warnings: [] };
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return { changes: [], warnings: thrown.diagnostics.map((found) => ({ ...found, severity: 'warning' })) };
  }
}
