import { isDeepStrictEqual } from 'node:util';
import { settled } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { ImportedBody, StatusBody } from '@cairn/http-api';
import { emptyDeployment, readUntypedDeployment, untypedDeploymentText } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { StoredState } from '../backend.js';
import type { DeploymentEdit, EditView, MoveEdit } from '../model/edit.js';
import { refuseInconsistent, usable } from '../model/integrity.js';
import type { ReadOptions } from '../model/stack-lease.js';
import { fullStackName } from '../stack-id.js';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { ServiceRefusal } from './service-refusal.js';
import { ofStack } from './service-stacks.js';

/** Reads the state of a stack: while an update runs, the one that its steps have led to so far. */
export async function stateInService(
  context: ServiceContext,
  id: StackId,
): Promise<SerializedDeployment | undefined> {
  const text = await ofStack(id, () => context.http.text('exportState', { names: pathNames(context, id) }));
  return readUntypedDeployment(text, sourceOf(context, id)).deployment;
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

/** Stores a state, and waits until the service has done so. */
export async function importDeployment(
  context: ServiceContext,
  id: StackId,
  deployment: SerializedDeployment,
): Promise<readonly Diagnostic[]> {
  const names = pathNames(context, id);
  const body = untypedDeploymentText(await settled(deployment));
  const { updateId } = await ofStack(id, () =>
    context.http.json('importState', ImportedBody, { names, body }),
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

/** Number of times that an edit is made again because the state has changed meanwhile. */
const EDITS = 3;

/** Changes a state, see `Backend.edit`. */
export async function editExported(
  context: ServiceContext,
  id: StackId,
  change: DeploymentEdit,
  { integrity = context.integrity }: ReadOptions,
): Promise<readonly Diagnostic[]> {
  for (let tries = 0; tries < EDITS; tries += 1) {
    const before = (await stateInService(context, id)) ?? emptyDeployment;
    if (integrity !== 'skip') usable(before);
    const edited = await change(before, editView(id));
    if (edited === undefined) return [];
    if (integrity !== 'skip') refuseInconsistent(edited);
    if (isDeepStrictEqual((await stateInService(context, id)) ?? emptyDeployment, before))
      return importDeployment(context, id, edited);
  }
  throw changesTooOften(id);
}

/** Moves resources, see `Backend.move`. Stores the state that gets them first. */
export async function moveExported(
  context: ServiceContext,
  { source, dest }: { readonly source: StackId; readonly dest: StackId },
  change: MoveEdit,
): Promise<readonly Diagnostic[]> {
  const sides = [source, dest].map(async (id) => {
    const deployment = (await stateInService(context, id)) ?? emptyDeployment;
    usable(deployment);
    return { deployment, view: editView(id) };
  });
  const [from, to] = await Promise.all(sides);
  if (from === undefined || to === undefined) return [];
  const moved = await change(from, to);
  if (moved === undefined) return [];
  refuseInconsistent(moved.source);
  refuseInconsistent(moved.dest);
  for (const [id, { deployment }] of [
    [source, from],
    [dest, to],
  ] as const)
    if (!isDeepStrictEqual((await stateInService(context, id)) ?? emptyDeployment, deployment))
      throw changesTooOften(id);
  return [
    ...(await importDeployment(context, dest, moved.dest)),
    ...(await importDeployment(context, source, moved.source)),
  ];
}

/** The service keeps every version of a state, and no records of changes that an edit could end. */
function editView(id: StackId): EditView {
  return {
    supersedes: () => undefined,
    inDoubt: async () => [],
    backup: async () => `the history of stack ${fullStackName(id)}`,
  };
}

function changesTooOften({ stack }: StackId): Error {
  return cairnError('CAIRN-STORE-CONFLICT', `cannot edit stack "${stack}": its state changes meanwhile`, {
    hint: 'Nothing was changed. Run the command again when no other process works on the stack.',
  });
}

function sourceOf({ http }: ServiceContext, id: StackId): string {
  return `${http.url}/${fullStackName(id)}`;
}
