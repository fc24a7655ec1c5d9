import type { BlobStore } from '@cairn/blobs';
import { openChange } from '@cairn/changes';
import type { StepKinds } from '@cairn/changes';
import { settled } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { BugError, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { checkpointPieces, emptyDeployment, encodeJournalEntry } from '@cairn/state';
import type { Json, JsonObject, SerializedDeployment } from '@cairn/state';
import type { BackendContext } from '../backend-context.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { beginOperation } from '../operation/begin-operation.js';
import { ALL } from '../claims/claims.js';
import type { HeldLock } from '../locks/stack-lock.js';
import { layout } from '../layout.js';
import { keepEdited } from '../records/base-copy.js';
import { isAltered } from '../records/change-lineage.js';
import type { Continues } from '../../model/change-row.js';
import { currentLineagesOf } from '../records/looked-changes.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';

/** State that a person wants. */
interface Edit {
  readonly id: StackId;
  readonly base: StoredCheckpoint;
  readonly edited: SerializedDeployment;
  /** Description for listings. */
  readonly message: string;
  readonly continues: Continues | undefined;
  /** Kept with the change, for a process that takes it over. */
  readonly options?: Json;
  /** Called after the change is known to have begun, and before the new state is recorded. */
  readonly between?: () => Promise<void>;
}

/**
 * Stores an edit as a change of one step, whose outcome is the whole new state. Runs under the stack's lock, after
 * recovery.
 */
export async function storeEdit(context: BackendContext, lock: HeldLock, edit: Edit): Promise<void> {
  const { id, base, message, continues } = edit;
  const { edited, options } = await settled({ edited: edit.edited, options: edit.options });
  const log = await beginOperation(
    context,
    { id, base, deployment: emptyDeployment, lock, claims: ALL },
    {
      kind: 'update',
      operation: 'edit',
      message,
      environment: {},
      config: {},
      ...(continues === undefined ? {} : { continues }),
      ...(options === undefined ? {} : { options }),
    },
  );
  await edit.between?.().catch(async (thrown: unknown) => {
    await log.discardEdit();
    throw thrown;
  });
  const outcome = await outcomeOf(context, layout.journalOf(id, log.changeId), id, edited);
  const kinds: StepKinds = { edit: { do: async () => ({ t: 'ok', ...outcome }) } };
  const machine = openChange(
    { id: log.changeId, kind: 'edit', summary: message, scope: fullStackName(id) },
    { store: log.store, kinds },
  );
  machine.tx((t) => t.addTask({ kind: 'edit', summary: message }));
  await machine.settled();
  await machine.seal();
  await log.finishEdit(edited);
}

/** Number of resources of a state that a record may carry. A larger state is stored beside the records. */
const IN_ONE_RECORD = 2000;

/**
 * Returns the new state as the record of the edit holds it. Returns nothing when the state is too large for a record
 * and was stored beside the records.
 */
async function outcomeOf(
  { store }: BackendContext,
  directory: string,
  id: StackId,
  edited: SerializedDeployment,
): Promise<{ readonly entry?: JsonObject }> {
  if (edited.resources.length > IN_ONE_RECORD) {
    await keepEdited(store, directory, checkpointPieces(fullStackName(id), edited));
    return {};
  }
  const write = { kind: 'write', sequenceId: 1, operationId: 0, newSnapshot: edited } as const;
  return { entry: encodeJournalEntry(write, SEALED_ALREADY) };
}

/**
 * Returns the line that an edit leaves as it was: the newest, unless another process has altered the state meanwhile.
 */
export async function editedLine(
  { store }: BackendContext,
  id: StackId,
  checkpoint: StoredCheckpoint,
): Promise<Continues | undefined> {
  const line = (await currentLineagesOf(store, id))[0];
  const latest = line?.members.at(-1);
  if (line === undefined || latest === undefined || isAltered(line, checkpoint)) return undefined;
  return { change: latest.change, how: 'edit' };
}

/**
 * Warns of a change that did not end, before the stored objects are altered: it cannot be continued or undone
 * afterwards.
 */
export async function supersededNote(
  { store }: { readonly store: BlobStore },
  id: StackId,
  checkpoint: Pick<StoredCheckpoint, 'digest'>,
): Promise<Diagnostic | undefined> {
  // Damaged records keep no user from repairing a state.
  const lines = await currentLineagesOf(store, id).catch(() => []);
  const line = lines.find((each) => each.unfinished && !isAltered(each, checkpoint));
  const latest = line?.members.at(-1);
  if (latest === undefined) return undefined;
  return warningDiagnostic(
    'CAIRN-UNFINISHED',
    `change ${latest.number} is not finished: after this edit it can be neither resumed nor rolled back`,
    {
      hint: `To avoid that, run \`cairn resume ${latest.number}\` or \`cairn rollback ${latest.number}\` first.`,
    },
  );
}

/**
 * Returns true if both states have the same objects under the same names, and seal with the same secrets manager.
 * Earlier records are then still true and can be opened.
 */
export function keepsObjects(before: SerializedDeployment, after: SerializedDeployment): boolean {
  const objects = ({ resources }: SerializedDeployment): string =>
    JSON.stringify(
      resources.map(({ urn, id, delete: condemned }) => [urn, id ?? '', condemned === true]).sort(),
    );
  const manager = ({ secretsProvider }: SerializedDeployment): string =>
    JSON.stringify([secretsProvider?.type, secretsProvider?.state]);
  return manager(before) === manager(after) && objects(before) === objects(after);
}

const SEALED_ALREADY: Crypter = {
  encrypt: () => {
    throw new BugError('a stored state is sealed');
  },
  decrypt: () => {
    throw new BugError('a stored state is sealed');
  },
};
