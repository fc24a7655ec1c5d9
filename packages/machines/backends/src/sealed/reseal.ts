import { isCairnError, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { BackendContext } from '../backend-context.js';
import { layout } from '../layout.js';
import type { StackId } from '../stack-id.js';
import { isCheckpoint, sealedScopeOf } from './sealed-scope.js';

/**
 * Writes every file of a stack again that does not lie there as the stack's files are written now: after encryption was
 * switched on or off, or the secrets manager changed. The checkpoint comes by its own way. Under the stack's lock; may
 * be cut anywhere and done again.
 */
export async function resealStack({ store }: BackendContext, id: StackId): Promise<number> {
  const path = layout.pathOf(id);
  const prefixes = [layout.checkpoint(id), layout.historyOf(id), layout.backupsOf(id), layout.journalsOf(id)];
  let count = 0;
  for (const prefix of prefixes) {
    for (const { key } of await store.list(prefix)) {
      if (sealedScopeOf(key)?.stack !== path || isCheckpoint(key)) continue;
      if (await store.reseal(key)) count += 1;
    }
  }
  return count;
}

/**
 * {@link resealStack} after a new checkpoint was stored, when files of before lie there otherwise. What fails is a
 * warning.
 */
export async function settleSealing(context: BackendContext, id: StackId): Promise<readonly Diagnostic[]> {
  if (!context.store.keys.takeUnsettled(layout.pathOf(id))) return [];
  try {
    await resealStack(context, id);
    return [];
  } catch (thrown) {
    const causes = isCairnError(thrown)
      ? thrown.diagnostics.map((each) => each.summary)
      : [messageOf(thrown)];
    return [
      warningDiagnostic(
        'CAIRN-STATE-SEALED',
        `the state of stack "${id.stack}" is stored as it is to be, but older files of it lie there as they were`,
        {
          causes,
          hint: 'They are its history, backups and journals. `cairn stack change-secrets-provider` writes them again.',
        },
      ),
    ];
  }
}
