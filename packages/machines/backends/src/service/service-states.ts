import { isDeepStrictEqual } from 'node:util';
import { settled } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { ImportedBody, StatusBody } from '@cairn/http-api';
import { emptyDeployment, readUntypedDeployment, untypedDeploymentText } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { StoredState } from '../backend.js';
import { layout } from '../bucket/layout.js';
import { changesInDoubt } from '../bucket/records/open-doubts.js';
import { stateTextOf } from '../bucket/state-texts.js';
import { supersededNote } from '../bucket/stacks/store-edit.js';
import type { DeploymentEdit, EditView, MoveEdit } from '../model/edit.js';
import { refuseInconsistent, usable } from '../model/integrity.js';
import { renameRefused } from '../model/rename-refused.js';
import { stateDigest } from '../model/served-checkpoint.js';
import type { ReadOptions } from '../model/stack-lease.js';
import { fullStackName } from '../stack-id.js';
import type { StackId } from '../stack-id.js';
import { recordsOf } from './service-changes.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { ServiceRefusal } from './service-refusal.js';
import { ofStack } from './service-stacks.js';
import { endGone } from './service-wait.js';

/** Reads the state of a stack: while an update runs, the one that its steps have led to so far. */
export async function stateInService(
  context: ServiceContext,
  id: StackId,
): Promise<SerializedDeployment | undefined> {
  return (await readMarked(context, id)).deployment;
}

/** State with its mark, if the service has marks, and the digest by which changes name it. */
interface MarkedState {
  readonly digest: string;
  readonly deployment: SerializedDeployment | undefined;
  readonly etag: string | undefined;
}

async function readMarked(context: ServiceContext, id: StackId): Promise<MarkedState> {
  const names = pathNames(context, id);
  const { text, etag } = await ofStack(id, () => context.http.marked('exportState', { names }));
  const source = sourceOf(context, id);
  const digest = stateDigest(stateTextOf(Buffer.from(text), source));
  return { digest, deployment: readUntypedDeployment(text, source).deployment, etag };
}

/**
 * Reads a state that is to be replaced. Looks at the changes first: the service then stores what a process left that
 * died on its bucket.
 */
async function readToEdit(context: ServiceContext, id: StackId): Promise<MarkedState> {
  if ((await context.capabilities()).keepsChanges)
    await recordsOf(context, id).store.names(layout.journalsOf(id));
  return readMarked(context, id);
}

/** Reads the state after an update. Fails with `CAIRN-USAGE` for one that the service does not keep. */
export async function exportVersion(
  context: ServiceContext,
  id: StackId,
  version: number,
): Promise<SerializedDeployment | undefined> {
  const names = { ...pathNames(context, id), version: String(version) };
  try {
    const text = await context.http.text('exportVersion', { names });
    return readUntypedDeployment(text, `${sourceOf(context, id)} after update ${version}`).deployment;
  } catch (thrown) {
    if (!(thrown instanceof ServiceRefusal) || thrown.status !== 404) throw thrown;
    throw cairnError('CAIRN-USAGE', `cannot read the state after update ${version}: it is not kept`, {
      hint: `Run \`cairn stack history\` to list the updates of stack "${id.stack}".`,
    });
  }
}

/** Reads a state, see `Backend.read`. */
export async function readExported(
  context: ServiceContext,
  id: StackId,
  { integrity = context.integrity }: ReadOptions,
): Promise<StoredState> {
  const deployment = await stateInService(context, id);
  const warnings = deployment === undefined || integrity === 'skip' ? [] : usable(deployment);
  return { stack: id, deployment, sealed: false, warnings };
}

/**
 * Stores a state, and waits until the service has done so. With `ifMatch`, the service refuses (412) unless the present
 * state has this mark.
 */
export async function importDeployment(
  context: ServiceContext,
  id: StackId,
  deployment: SerializedDeployment,
  ifMatch?: string,
): Promise<readonly Diagnostic[]> {
  const names = pathNames(context, id);
  const body = untypedDeploymentText(await settled(deployment));
  const { updateId } = await ofStack(id, () =>
    context.http.json('importState', ImportedBody, { names, body, ifMatch }),
  );
  const update = { ...names, kind: 'update', update: updateId };
  let continuationToken: string | undefined;
  let status: string;
  do {
    const query = { continuationToken };
    const answer = await context.http.json('updateStatus', StatusBody, { names: update, query });
    status = answer.status;
    continuationToken = answer.continuationToken ?? undefined;
  } while (continuationToken !== undefined);
  if (status === 'succeeded') return [];
  throw cairnError(
    'CAIRN-STORE-FAILED',
    `cannot store the state: the service says that this is "${status}"`,
    {
      hint: 'Run `cairn stack export` to see which state is stored.',
    },
  );
}

/** Replaces a state, see `Backend.replace`. */
export async function replaceExported(
  context: ServiceContext,
  id: StackId,
  deployment: SerializedDeployment,
): Promise<readonly Diagnostic[]> {
  const notes = await endGone(context, id);
  return [...notes, ...(await importDeployment(context, id, deployment))];
}

/** Number of times that an edit is repeated because the state has changed in the meantime. */
const EDITS = 3;

/** Changes a state, see `Backend.edit`. */
export async function editExported(
  context: ServiceContext,
  id: StackId,
  change: DeploymentEdit,
  { integrity = context.integrity }: ReadOptions,
): Promise<readonly Diagnostic[]> {
  const notes = await endGone(context, id);
  for (let tries = 0; tries < EDITS; tries += 1) {
    const marked = await readToEdit(context, id);
    const before = marked.deployment ?? emptyDeployment;
    if (integrity !== 'skip') usable(before);
    const edited = await change(before, await editView(context, id, marked));
    if (edited === undefined) return [];
    if (integrity !== 'skip') refuseInconsistent(edited);
    const stored = await replaceMarked(context, id, marked, edited);
    if (stored !== undefined) return [...notes, ...stored];
  }
  throw changesTooOften(id);
}

/** Moves resources, see `Backend.move`. Stores the state that gets them first. */
export async function moveExported(
  context: ServiceContext,
  { source, dest }: { readonly source: StackId; readonly dest: StackId },
  change: MoveEdit,
): Promise<readonly Diagnostic[]> {
  const notes = [...(await endGone(context, source)), ...(await endGone(context, dest))];
  const [from, to] = [await readToEdit(context, source), await readToEdit(context, dest)];
  const sides = [
    { deployment: from.deployment ?? emptyDeployment, view: await editView(context, source, from) },
    { deployment: to.deployment ?? emptyDeployment, view: await editView(context, dest, to) },
  ] as const;
  for (const { deployment } of sides) usable(deployment);
  const moved = await change(...sides);
  if (moved === undefined) return [];
  refuseInconsistent(moved.source);
  refuseInconsistent(moved.dest);
  const arrived = await replaceMarked(context, dest, to, moved.dest);
  if (arrived === undefined) throw changesTooOften(dest);
  const left = await replaceMarked(context, source, from, moved.source);
  if (left === undefined) throw leftInBoth(source, dest);
  return [...notes, ...arrived, ...left];
}

/**
 * Stores a state in place of the one that was read. Resolves with undefined if there is another one now. A service
 * without marks is asked for its state once more just before.
 */
async function replaceMarked(
  context: ServiceContext,
  id: StackId,
  { deployment, etag }: MarkedState,
  edited: SerializedDeployment,
): Promise<readonly Diagnostic[] | undefined> {
  if (etag === undefined && !isDeepStrictEqual(await stateInService(context, id), deployment))
    return undefined;
  try {
    return await importDeployment(context, id, edited, etag);
  } catch (thrown) {
    if (thrown instanceof ServiceRefusal && thrown.status === 412) return undefined;
    throw thrown;
  }
}

/** The service keeps every version of a state. An edit is a version of its own, so it supersedes a change. */
async function editView(context: ServiceContext, id: StackId, { digest }: MarkedState): Promise<EditView> {
  const { keepsChanges } = await context.capabilities();
  const records = recordsOf(context, id);
  const note = keepsChanges ? await supersededNote(records, id, { digest }) : undefined;
  return {
    supersedes: () => note,
    inDoubt: async () => (keepsChanges ? (await changesInDoubt(records, id)).changes : []),
    backup: async () => `the history of stack ${fullStackName(id)}`,
  };
}

/** Refuses to rename a stack with an unfinished change or steps in doubt, as a bucket does. */
export async function refuseUnfinishedRename(context: ServiceContext, id: StackId): Promise<void> {
  if (!(await context.capabilities()).keepsChanges) return;
  const { digest, deployment } = await readToEdit(context, id);
  const note = await supersededNote(recordsOf(context, id), id, { digest });
  const pending = deployment?.pendingOperations ?? [];
  if (note !== undefined || pending.length > 0) throw renameRefused(id, note, pending);
}

function changesTooOften({ stack }: StackId): Error {
  return cairnError('CAIRN-STORE-CONFLICT', `cannot edit stack "${stack}": its state changes meanwhile`, {
    hint: 'Nothing was changed. Run the command again when no other process works on the stack.',
  });
}

function leftInBoth(source: StackId, dest: StackId): Error {
  return cairnError(
    'CAIRN-STORE-CONFLICT',
    `cannot remove moved resources from stack "${source.stack}": its state has changed meanwhile`,
    {
      causes: [`the resources are in stack "${dest.stack}" already`],
      hint: 'Remove them from one of the stacks with `cairn state delete`; their objects stay.',
    },
  );
}

function sourceOf({ http }: ServiceContext, id: StackId): string {
  return `${http.url}/${fullStackName(id)}`;
}
