import type { Diagnostic } from '@cairn/diagnostics';
import { cairnError } from '@cairn/diagnostics';
import { checkpointBytes, emptyDeployment, newManifest } from '@cairn/state';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';
import { nanoStamp } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import {
  checkpointKey,
  digestOf,
  letGo,
  loadCheckpoint,
  storeCheckpoint,
} from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { layout } from '../layout.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import type { HeldLock } from '../locks/stack-lock.js';
import { lockAndRecover, lockStack } from './locked.js';
import { storeEdit } from './store-edit.js';
import { stackExists, stackNotFound } from '../../model/stack-errors.js';

/**
 * Creates a stack [STORE-12]: the empty checkpoint, written only where there is none, then the initial state with the
 * secrets manager. Fails with `CAIRN-STACK-EXISTS`.
 */
export async function createBucketStack(
  context: BackendContext,
  id: StackId,
  secretsProvider: SecretsProviderRecord | undefined,
): Promise<void> {
  const lock = await lockStack(context, id);
  try {
    if ((await checkpointKey(context.store, id)) !== undefined) throw stackExists(id);
    context.store.keys.useManager(layout.pathOf(id), secretsProvider);
    const empty = checkpointBytes(fullStackName(id), undefined);
    await write(context, id, empty, undefined, 0);
    const written = await loadCheckpoint(context.store, id);
    // A process that took over the stack meanwhile may have written to it.
    if (written?.digest !== digestOf(empty)) throw await overtaken(lock, id);
    const manifest = newManifest(context.now(), context.version);
    const initial = { ...emptyDeployment, manifest, secretsProvider };
    const bytes = checkpointBytes(fullStackName(id), initial, { escapeHtml: true });
    await write(context, id, bytes, written, 1);
  } finally {
    await lock.release();
  }
}

/**
 * Replaces the stored deployment, under the lock. Writes no history entry, and no backup but the `.bak` [STATE-10]. It
 * is a change of its own.
 */
export async function replaceDeployment(
  context: BackendContext,
  id: StackId,
  deployment: SerializedDeployment,
  message = 'stack import',
): Promise<readonly Diagnostic[]> {
  const { lock, notes } = await lockAndRecover(context, id);
  try {
    const base = await loadCheckpoint(context.store, id);
    if (base === undefined) throw stackNotFound(id);
    letGo(base);
    await storeEdit(context, lock, { id, base, edited: deployment, message, continues: undefined });
    return notes;
  } finally {
    await lock.release();
  }
}

/** Writes a checkpoint. `number` distinguishes writes of the same moment. */
async function write(
  context: BackendContext,
  id: StackId,
  bytes: Uint8Array,
  previous: StoredCheckpoint | undefined,
  number: number,
): Promise<void> {
  const { store, settings } = context;
  await storeCheckpoint(store, {
    id,
    bytes,
    previous,
    settings,
    keepsPrevious: true,
    stamp: nanoStamp(context.now(), number),
  });
}

/**
 * Returns the error for a stack that was changed meanwhile. The lock says who has the stack; if it is still ours,
 * another program wrote to the stack.
 */
async function overtaken(lock: HeldLock, id: StackId): Promise<Error> {
  await lock.confirm();
  return cairnError(
    'CAIRN-STORE-CONFLICT',
    `stack "${id.stack}" was changed by another process while it was created`,
    { hint: 'Nothing was overwritten. Look at it with `cairn stack`.' },
  );
}
