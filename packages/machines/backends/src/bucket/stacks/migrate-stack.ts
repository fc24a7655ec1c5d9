import { cairnError, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { checkpointBytes, renamedStack } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { nanoStamp } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, loadCheckpoint, storeCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { CHECKPOINT_ENDS, layout } from '../layout.js';
import { lockHolders, reasonedLockBytes } from '../locks/lock-file.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import { companionMoves } from './companions.js';
import type { KeyMove } from './companions.js';
import { lockAndRecover, lockStack } from './locked.js';
import { resealedFile, resealedState } from './resealed-file.js';
import { supersededNote } from './store-edit.js';
import type { Migration } from '../../model/migration.js';
import { usable } from '../../model/integrity.js';
import { stackExists, stackNotFound } from '../../model/stack-errors.js';

/**
 * Copies a stack to another backend, see `BucketPart.migrate` [STORE-17]. The order makes it safe to die between any
 * two writes and to run again: the stack here is locked for good with the reason that it moves, companions are copied,
 * the checkpoint is written where there is none, and last the reason says that it has moved. A failure before the
 * checkpoint is written removes the lock.
 */
export async function migrateBucketStack(
  source: BackendContext,
  target: BackendContext,
  migration: Migration,
  lockId: string,
): Promise<readonly Diagnostic[]> {
  const { from, to, seal } = migration;
  const reasons = reasonsOf(target, to);
  const begun = (await lockHolders(source.store, from)).find(({ reason }) => reason === reasons.moving);
  const stackLock = begun?.id ?? source.settings.stackLock;
  const here = await lockAndRecover({ ...source, settings: { ...source.settings, stackLock } }, from);
  try {
    const there = await lockStack(target, to);
    try {
      const base = await loadCheckpoint(source.store, from);
      if (base === undefined) throw stackNotFound(from);
      const { text } = base;
      const deployment = deploymentOf(base);
      if (deployment !== undefined && !migration.force) usable(deployment);
      await refuseUnfinished(source, migration, base);
      const present = await loadCheckpoint(target.store, to);
      if (present !== undefined && (begun === undefined || !isCopy(present, deployment)))
        throw stackExists(to);
      const lock = layout.lock(from, begun?.id ?? lockId);
      const keepLocked = async (reason: string): Promise<void> => {
        await source.store.put(lock, reasonedLockBytes(source.process, source.now(), reason));
      };
      await here.lock.during(() => keepLocked(reasons.moving));
      let warnings: readonly Diagnostic[] = [];
      if (present === undefined) {
        try {
          warnings = await copyCompanions(source, target, migration, deployment);
          await storeNew(target, to, await newBytes(migration, deployment, text));
        } catch (thrown) {
          await source.store.delete(lock).catch(() => undefined);
          throw thrown;
        }
      }
      const copied = present === undefined ? undefined : deploymentOf(present);
      await migration.onCopied((copied ?? seal ?? deployment)?.secretsProvider);
      await keepLocked(reasons.moved);
      return [...here.notes, ...warnings];
    } finally {
      await there.release();
    }
  } finally {
    await here.lock.release();
  }
}

function reasonsOf(
  { store }: BackendContext,
  to: StackId,
): { readonly moving: string; readonly moved: string } {
  const place = `${store.url} as ${fullStackName(to)}`;
  return {
    moving: `moving to ${place}: run \`cairn stack migrate\` again there`,
    moved: `moved to ${place}`,
  };
}

/** Records of a change that did not end have to be copied too, and only can be if they are unaltered. */
async function refuseUnfinished(
  source: BackendContext,
  { from, to, seal, journals }: Migration,
  base: StoredCheckpoint,
): Promise<void> {
  const renamed = fullStackName(from) !== fullStackName(to);
  if (journals && (seal !== undefined || source.store.keys.seals(layout.pathOf(from))))
    throw cairnError('CAIRN-USAGE', 'cannot copy the records of changes: they are sealed', {
      causes: [seal === undefined ? 'the state is sealed whole' : 'the current secrets provider sealed them'],
      hint: 'Leave --journals out. Leave --secrets-provider out to keep the current secrets provider.',
    });
  const note = await supersededNote(source, from, base);
  const pending = renamed ? (deploymentOf(base)?.pendingOperations ?? []) : [];
  if ((note === undefined && pending.length === 0) || (journals && !renamed)) return;
  throw cairnError('CAIRN-UNFINISHED', `cannot move stack "${from.stack}": a change is not finished`, {
    causes:
      note === undefined ? pending.map(({ type, resource }) => `${type} ${resource.urn}`) : [note.summary],
    hint: `Resume it with \`cairn resume\`, or roll it back with \`cairn rollback\`; then move the stack.${renamed ? '' : ' With --journals it moves as it is.'}`,
  });
}

/** Returns true if the target's stack is the copy of an earlier run. */
function isCopy(present: StoredCheckpoint, deployment: SerializedDeployment | undefined): boolean {
  const copied = deploymentOf(present);
  return (
    copied?.manifest.time === deployment?.manifest.time &&
    copied?.resources.length === deployment?.resources.length
  );
}

async function newBytes(
  { from, to, seal }: Migration,
  deployment: SerializedDeployment | undefined,
  text: Uint8Array | undefined,
): Promise<Uint8Array> {
  const renamed = fullStackName(from) !== fullStackName(to);
  if (text !== undefined && seal === undefined && !renamed) return text;
  const sealed =
    deployment === undefined || seal === undefined ? deployment : await resealedState(deployment, seal);
  return checkpointBytes(
    fullStackName(to),
    sealed === undefined || !renamed ? sealed : renamedStack(sealed, from, to),
  );
}

async function storeNew(target: BackendContext, id: StackId, bytes: Uint8Array): Promise<void> {
  const { store, settings, now } = target;
  const stamp = nanoStamp(now(), 0);
  await storeCheckpoint(store, { id, bytes, previous: undefined, settings, keepsPrevious: false, stamp });
}

/** Copies history, backups, copies of the checkpoint, tags and, on request, records of changes. */
async function copyCompanions(
  source: BackendContext,
  target: BackendContext,
  migration: Migration,
  deployment: SerializedDeployment | undefined,
): Promise<readonly Diagnostic[]> {
  const { from, to, seal, journals } = migration;
  const manager = deployment?.secretsProvider;
  const sealed = source.store.keys.seals(layout.pathOf(from));
  target.store.keys.noteCheckpoint(layout.pathOf(to), sealed, seal?.secretsProvider ?? manager);
  const warnings: Diagnostic[] = [];
  for (const move of await movesOf(source, from, to)) {
    const isJournal = move.from.startsWith(layout.journalsOf(from));
    if (isJournal && !journals) continue;
    const blob = await source.store.get(move.from);
    if (blob === undefined) continue;
    let { bytes } = blob;
    if (seal !== undefined && move.from !== layout.tags(from)) {
      try {
        bytes = await resealedFile(source.store, move.from, seal, { stack: to, manager });
      } catch (thrown) {
        warnings.push(leftOut(move, thrown));
        continue;
      }
    }
    await target.store.put(move.to, bytes);
  }
  return warnings;
}

/** Lists everything beside the checkpoint, including its earlier copies. */
async function movesOf({ store }: BackendContext, from: StackId, to: StackId): Promise<readonly KeyMove[]> {
  const base = layout.checkpoint(from);
  const checkpoints = new Set(CHECKPOINT_ENDS.map((end) => base + end));
  const copies = (await store.list(`${base}.json`)).filter(({ key }) => !checkpoints.has(key));
  return [
    ...copies.map(({ key }) => ({ from: key, to: layout.checkpoint(to) + key.slice(base.length) })),
    ...(await companionMoves(store, from, to)),
  ];
}

/** Warns about a file that cannot be sealed again and stays where it is. */
function leftOut({ from }: KeyMove, thrown: unknown): Diagnostic {
  return warningDiagnostic(
    'CAIRN-STATE-CORRUPT',
    `${from} is not copied: its secrets cannot be encrypted again`,
    {
      causes: [messageOf(thrown)],
      hint: 'Find it in the backend that the stack leaves, where it stays.',
    },
  );
}
