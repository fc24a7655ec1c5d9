import { cairnError } from '@cairn/diagnostics';
import { MATCHED_TEXTS, StackBody, StacksBody } from '@cairn/http-api';
import { emptyDeployment, newManifest, untypedDeploymentText } from '@cairn/state';
import type { SecretsProviderRecord } from '@cairn/state';
import type * as v from 'valibot';
import type {
  CurrentOperation,
  LostStateNote,
  StackRemovalOptions,
  StoredStackSummary,
  StackTags,
} from '../backend.js';
import { stackExists, stackNotFound } from '../model/stack-errors.js';
import { checkedName } from '../stack-id.js';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { ServiceRefusal } from './service-refusal.js';

/** Stack as the service describes it. */
export type ServiceStack = v.InferOutput<typeof StackBody>;

/** Returns the rows of every stack that the account sees, optionally of one project. */
export async function stackRows(
  { http }: ServiceContext,
  project: string | undefined,
): Promise<readonly StoredStackSummary[]> {
  if (project !== undefined && project !== '') checkedName('project', project);
  const rows: StoredStackSummary[] = [];
  let continuationToken: string | undefined;
  do {
    const page = await http.json('listStacks', StacksBody, { query: { project, continuationToken } });
    for (const row of page.stacks ?? [])
      rows.push({
        ...{ organization: row.orgName, project: row.projectName, stack: row.stackName },
        resources: row.resourceCount ?? undefined,
        // 0 while an update runs.
        lastUpdate: row.lastUpdate ? timeOf(row.lastUpdate) : undefined,
      });
    continuationToken = page.continuationToken ?? undefined;
  } while (continuationToken !== undefined);
  return rows;
}

/** Returns the row of one stack. Fails with `CAIRN-STACK-NOT-FOUND`. */
export async function stackRow(context: ServiceContext, id: StackId): Promise<StoredStackSummary> {
  const organization = id.organization ?? context.organization;
  const rows = await stackRows(context, id.project);
  const row = rows.find((each) => each.stack === id.stack && each.organization === organization);
  if (row === undefined) throw stackNotFound(id);
  return row;
}

/** Returns a stack, or undefined if the service does not have it. */
export function findStack(context: ServiceContext, id: StackId): Promise<ServiceStack | undefined> {
  return context.http.find('getStack', StackBody, { names: pathNames(context, id) });
}

/** Returns a stack. Fails with `CAIRN-STACK-NOT-FOUND`. */
export async function existingStack(context: ServiceContext, id: StackId): Promise<ServiceStack> {
  const stack = await findStack(context, id);
  if (stack === undefined) throw stackNotFound(id);
  return stack;
}

/** Does work for a stack whose absence the service answers with 404. */
export async function ofStack<T>(id: StackId, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof ServiceRefusal && thrown.status === 404 ? stackNotFound(id) : thrown;
  }
}

/**
 * Creates a stack. Its first state names the secrets manager, also if that is the service: otherwise the first
 * operation would have to import a state that does.
 */
export async function createOnService(
  context: ServiceContext,
  id: StackId,
  secretsProvider: SecretsProviderRecord | undefined,
): Promise<void> {
  const { project, org, stack: stackName } = pathNames(context, id);
  const body = JSON.stringify({ stackName, tags: { 'pulumi:project': project } });
  const state = secretsProvider && firstState(context, secretsProvider);
  try {
    await context.http.text('createStack', {
      names: { org: org ?? '', project: project ?? '' },
      body: state === undefined ? body : `${body.slice(0, -1)},"state":${state}}`,
    });
  } catch (thrown) {
    if (isTaken(thrown)) throw stackExists(id);
    throw thrown;
  }
}

function firstState({ now, version }: ServiceContext, secretsProvider: SecretsProviderRecord): string {
  const manifest = newManifest(now(), version);
  return untypedDeploymentText({ ...emptyDeployment, manifest, secretsProvider });
}

/** Removes a stack. Fails with `CAIRN-STACK-NOT-EMPTY` unless it is forced or has no resources. */
export async function removeFromService(
  context: ServiceContext,
  id: StackId,
  { force = false }: StackRemovalOptions,
): Promise<void> {
  const names = pathNames(context, id);
  try {
    await ofStack(id, () => context.http.text('deleteStack', { names, query: { force: String(force) } }));
  } catch (thrown) {
    if (!(thrown instanceof ServiceRefusal) || !thrown.text.includes(MATCHED_TEXTS.hasResources))
      throw thrown;
    throw cairnError('CAIRN-STACK-NOT-EMPTY', `cannot remove stack '${id.stack}': it still has resources`, {
      hint: 'Run `cairn destroy` first, or pass --force to forget them.',
    });
  }
}

/** Renames a stack within its organization. */
export async function renameOnService(context: ServiceContext, from: StackId, to: StackId): Promise<void> {
  const there = pathNames(context, to);
  const names = pathNames(context, from);
  if (there['org'] !== names['org'])
    throw cairnError(
      'CAIRN-USAGE',
      `cannot rename stack '${from.stack}': a service keeps a stack in its organization`,
      { hint: 'Move the stack to the other organization with `cairn stack migrate`.' },
    );
  const body = { newName: there['stack'], newProject: there['project'] };
  try {
    await ofStack(from, () => context.http.text('renameStack', { names, body }));
  } catch (thrown) {
    if (isTaken(thrown)) throw stackExists(to);
    throw thrown;
  }
}

/** Stores the tags that `change` makes of the present ones. */
export async function changeTags(
  context: ServiceContext,
  id: StackId,
  change: (tags: StackTags) => StackTags,
): Promise<void> {
  const { tags } = await existingStack(context, id);
  await context.http.text('setTags', { names: pathNames(context, id), body: change(tags ?? {}) });
}

/** Returns the operation that works on a stack. */
export function currentIn({ currentOperation }: ServiceStack): CurrentOperation | undefined {
  return currentOperation ? operationIn(currentOperation) : undefined;
}

/** Returns the loss that the service has noticed. */
export function lossIn({ lostState }: ServiceStack): LostStateNote | undefined {
  if (!lostState) return undefined;
  return { noticed: timeOf(lostState.at), what: lostState.what === 'update' ? 'update' : 'state' };
}

/** Returns an operation from its message. */
export function operationIn({
  kind,
  author,
  started,
}: NonNullable<ServiceStack['currentOperation']>): CurrentOperation {
  return { kind, author, started: timeOf(started) };
}

/** Describes an operation that works on a stack. */
export function describedOperation({ kind, author, started }: CurrentOperation): string {
  return `the operation ${kind} of ${author === '' ? 'an unknown user' : author} (since ${started})`;
}

/** Cancels the update that runs on a stack. Resolves with false if there is none. */
export async function cancelCurrent(context: ServiceContext, id: StackId): Promise<boolean> {
  const stack = await existingStack(context, id);
  if (currentIn(stack) === undefined || stack.activeUpdate === '') return false;
  const names = { ...pathNames(context, id), kind: 'update', update: stack.activeUpdate };
  await context.http.text('cancelUpdate', { names });
  return true;
}

function isTaken(thrown: unknown): boolean {
  return (
    thrown instanceof ServiceRefusal &&
    thrown.status === 409 &&
    thrown.text.includes(MATCHED_TEXTS.alreadyExists)
  );
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
