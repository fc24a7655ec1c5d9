import { isDeepStrictEqual } from 'node:util';
import { settled } from '@cairn/crypters';
import { BugError } from '@cairn/diagnostics';
import { CreatedBody, StartedBody } from '@cairn/http-api';
import type { ChangeRequest } from '@cairn/http-api';
import { emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type * as v from 'valibot';
import type { StackTags } from '../backend.js';
import { BaseMovedError } from '../model/base-moved.js';
import { KIND_OF_UPDATE } from '../model/operation-kind.js';
import type { OperationLog, OperationStart } from '../model/operation-log.js';
import type { StackId } from '../stack-id.js';
import { addressInConsole } from './console-address.js';
import { SentChange } from './sent-change.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import type { ServiceRecords } from './service-changes.js';
import { configTexts } from './service-history.js';
import { ServiceOperation } from './service-operation.js';
import { ServiceRefusal } from './service-refusal.js';
import type { QueuePlace } from './service-queue.js';
import { stateInService } from './service-states.js';
import { ofStack } from './service-stacks.js';
import { UpdateLease } from './update-lease.js';

/**
 * Stack as it was read. `kept` is undefined if the service keeps no changes, and `place` if the caller does not wait.
 */
export interface ReadStack {
  readonly id: StackId;
  readonly deployment: SerializedDeployment;
  readonly tags: StackTags;
  readonly place: QueuePlace | undefined;
  readonly kept: { readonly records: ServiceRecords; readonly digest: string } | undefined;
}

type Started = v.InferOutput<typeof StartedBody>;

/** Creates and starts an update. Fails with {@link BaseMovedError} if the state is not the one that was read. */
export async function startUpdate(
  context: ServiceContext,
  read: ReadStack,
  operation: OperationStart,
): Promise<OperationLog> {
  const { http, now } = context;
  const { id, deployment, tags, kept } = read;
  const names = { ...pathNames(context, id), kind: updateRouteKind(operation) };
  const change = kept && changeOf(context, operation);
  const body = await settled({ ...requestOf(id, operation), ...(change && { change }) });
  const { updateID } = await ofStack(id, () => http.json('createUpdate', CreatedBody, { names, body }));
  const update = { ...names, kind: 'update', update: updateID };
  const startedAt = now().getTime();
  const started = await start(context, read, update, tagsOf(id, tags, operation));
  const lease = new UpdateLease(context, {
    ...{ id, names: update, token: started.token, until: started.tokenExpiration ?? undefined },
  });
  const number = started.change?.number ?? started.version;
  const log = new ServiceOperation(context, {
    ...{ id, lease, number, base: deployment, startedAt, journaled: started.journalVersion === 1 },
    change: kept && started.change ? new SentChange(kept.records, id, number) : undefined,
    page: await pageOf(context, id, started),
  });
  try {
    if (await isBase(context, read, started)) return log;
    throw new BaseMovedError(id, 'another operation has ended');
  } catch (thrown) {
    await log.abandon().catch(() => undefined);
    throw thrown;
  }
}

/** Returns the address of the page of a change, if the service keeps it. */
async function pageOf(
  context: ServiceContext,
  id: StackId,
  { change, consoleUrl }: Started,
): Promise<string | undefined> {
  return change ? addressInConsole(context, id, `changes/${change.number}`, consoleUrl) : undefined;
}

async function start(
  { http, waitForLockMs }: ServiceContext,
  { id, place }: ReadStack,
  names: Readonly<Record<string, string>>,
  tags: StackTags,
): Promise<Started> {
  try {
    const body = { tags, journalVersion: 1, ...(place && { ticket: place.ticket }) };
    const started = await http.json('startUpdate', StartedBody, { names, body });
    place?.used();
    return started;
  } catch (thrown) {
    const other = thrown instanceof ServiceRefusal && thrown.diagnostics[0]?.code === 'CAIRN-STATE-LOCKED';
    // The caller may wait for the other operation, and begin on what it leaves.
    throw other && waitForLockMs > 0 ? new BaseMovedError(id, 'another operation has begun') : thrown;
  }
}

/** Returns true if the update has started from the state that was read. */
async function isBase(
  context: ServiceContext,
  { id, deployment, kept }: ReadStack,
  { change }: Started,
): Promise<boolean> {
  if (kept !== undefined && change) return change.base === kept.digest;
  return isDeepStrictEqual((await stateInService(context, id)) ?? emptyDeployment, deployment);
}

/** Returns the description of a change, besides what every update has. */
function changeOf(
  { process }: ServiceContext,
  { kind, operation = KIND_OF_UPDATE[kind], continues, options, goalKey }: OperationStart,
): ChangeRequest {
  if (operation === 'edit') throw new BugError('a service runs no edit');
  const { pid, hostname, machine } = process;
  const started = process.look?.(pid)?.started;
  return {
    operation,
    ...(continues !== undefined && { continues }),
    ...(options !== undefined && { options }),
    ...(goalKey !== undefined && { goalKey }),
    process: {
      pid,
      hostname,
      ...(machine !== undefined && { machine }),
      ...(started !== undefined && { started }),
    },
  };
}

/** Facts about the repository of a program that are tags of its stack. */
const REPOSITORY = ['kind', 'owner', 'repo', 'root'] as const;

/** Returns the tags of a stack with those that describe its program and its repository. */
function tagsOf({ project }: StackId, tags: StackTags, { program, environment }: OperationStart): StackTags {
  if (program === undefined) return tags;
  const repository = REPOSITORY.flatMap((name) => {
    const value = environment[`vcs.${name}`];
    return value === undefined || value === '' ? [] : [[`vcs:${name}`, value] as const];
  });
  const { runtime, description = '' } = program;
  return {
    ...tags,
    ...Object.fromEntries(repository),
    'pulumi:project': project,
    'pulumi:runtime': runtime,
    ...(description !== '' && { 'pulumi:description': description }),
  };
}

/** Returns the kind of the route that creates an update. */
export function updateRouteKind({ kind }: OperationStart): string {
  if (kind === 'refresh' || kind === 'destroy') return kind;
  if (kind === 'update' || kind === 'resource-import') return 'update';
  throw new BugError(`a service runs no operation of kind ${kind}`);
}

/** Returns the request that creates an update, or with `dryRun` a preview of one. */
export function requestOf(
  id: StackId,
  { message, environment, config, program }: OperationStart,
  dryRun = false,
): object {
  return {
    name: id.project,
    runtime: program?.runtime ?? '',
    main: program?.main ?? '',
    description: program?.description ?? '',
    options: { localPolicyPackPaths: null, color: 'raw', dryRun, parallel: 0 },
    config: configTexts(config),
    metadata: { message, environment },
  };
}
