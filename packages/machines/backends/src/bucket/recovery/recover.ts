import type { BackendContext } from '../backend-context.js';
import { Journals } from '../journal/journals.js';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import type { Recovered } from './close-open.js';

/** Result of {@link recoverStack}, with the journals as it left them. */
interface RecoveredStack extends Recovered {
  readonly journals: Journals;
  /** True if there was nothing to recover: nothing was written. */
  readonly untouched: boolean;
}

/**
 * Folds the journals that their operations did not fold themselves into the checkpoint, and reports its findings.
 * Journals of operations that ran beside each other are folded together. Runs under the stack's lock, alone, and needs
 * no passphrase. A torn end of a journal is where its operation died, and is dropped. A journal damaged elsewhere is
 * `CAIRN-JOURNAL-CORRUPT`, and nothing is written.
 */
export async function recoverStack(context: BackendContext, id: StackId): Promise<RecoveredStack> {
  const journals = await Journals.of(context.store, id);
  const open = await journals.open();
  if (open.length === 0) return { notes: [], finished: [], journals, untouched: true };
  const { closeOpen } = await import('./close-open.js');
  const recovered = await closeOpen(context, id, open);
  // A process may have died in the middle of a write. Failing to remove its leftovers is no reason to stop.
  await context.store.sweep?.(layout.locksOf(id)).catch(() => undefined);
  return { ...recovered, journals: await Journals.of(context.store, id), untouched: false };
}
