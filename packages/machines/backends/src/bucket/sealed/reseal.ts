import { isCairnError, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { BackendContext } from '../backend-context.js';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { isCheckpoint, sealedScopeOf } from './sealed-scope.js';

/**
 * Rewrites older files of the stack after a new checkpoint was stored, if they are stored differently. A failure is a
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
        `the state of stack "${id.stack}" was sealed as requested, but older files of the stack were not`,
        {
          causes,
          hint: 'Run `cairn stack change-secrets-provider` to write its history, backups and journals again.',
        },
      ),
    ];
  }
}

/**
 * Rewrites every file of a stack that is not stored the way the stack's files are written now, because encryption was
 * switched on or off, or the secrets manager changed. The checkpoint is rewritten elsewhere. Runs under the stack's
 * lock; it may be interrupted anywhere and run again.
 */
async function resealStack({ store }: BackendContext, id: StackId): Promise<void> {
  const path = layout.pathOf(id);
  const prefixes = [layout.checkpoint(id), layout.historyOf(id), layout.backupsOf(id), layout.journalsOf(id)];
  for (const prefix of prefixes) {
    for (const { key } of await store.list(prefix)) {
      if (sealedScopeOf(key)?.stack === path && !isCheckpoint(key)) await store.reseal(key);
    }
  }
}
