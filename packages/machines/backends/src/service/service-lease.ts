import { isDeepStrictEqual } from 'node:util';
import { settled } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { BugError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { CreatedBody, StartedBody } from '@cairn/http-api';
import { decodeSnapshot, emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { StackTags } from '../backend.js';
import { BaseMovedError } from '../model/base-moved.js';
import type { ChangeLineage } from '../model/change-lineage.js';
import { usable } from '../model/integrity.js';
import type { OperationLog, OperationStart } from '../model/operation-log.js';
import type { LeaseOptions, StackLease } from '../model/stack-lease.js';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { configTexts } from './service-history.js';
import { ServiceOperation } from './service-operation.js';
import { ServiceRefusal } from './service-refusal.js';
import { stateInService } from './service-states.js';
import { ofStack } from './service-stacks.js';
import { unknownChange } from './service-changes.js';
import { idleStack } from './service-wait.js';
import { UpdateLease } from './update-lease.js';

/** Reads and decodes a stack on which no update runs. The service holds it from the beginning of an operation on. */
export async function openServiceLease(
  context: ServiceContext,
  id: StackId,
  { openCrypter, integrity = context.integrity, interrupted }: LeaseOptions,
): Promise<StackLease> {
  const { tags } = await idleStack(context, id, interrupted);
  const deployment = (await stateInService(context, id)) ?? emptyDeployment;
  const notes = integrity === 'skip' ? [] : usable(deployment);
  const crypter = await openCrypter(deployment.secretsProvider, deployment);
  return new ServiceLease(context, { id, deployment, tags: tags ?? {} }, crypter, notes);
}

/** Stack as it was read. */
interface ReadStack {
  readonly id: StackId;
  readonly deployment: SerializedDeployment;
  readonly tags: StackTags;
}

class ServiceLease implements StackLease {
  readonly stack: StackId;
  readonly deployment: SerializedDeployment;
  readonly snapshot: StackLease['snapshot'];
  readonly finished = [];
  readonly unfinished = undefined;
  readonly inDoubt = [];
  #begun = false;
  readonly #context: ServiceContext;
  readonly #read: ReadStack;

  constructor(
    context: ServiceContext,
    read: ReadStack,
    readonly crypter: Crypter,
    readonly notes: readonly Diagnostic[],
  ) {
    this.#context = context;
    this.#read = read;
    this.stack = read.id;
    this.deployment = read.deployment;
    this.snapshot = decodeSnapshot(read.deployment, crypter, read.id.stack);
  }

  async lineage(number: number): Promise<ChangeLineage> {
    throw unknownChange(this.#context, number);
  }

  async begin(operation: OperationStart): Promise<OperationLog> {
    if (this.#begun) throw new BugError('a lease serves one operation');
    this.#begun = true;
    return startUpdate(this.#context, this.#read, operation);
  }

  async release(): Promise<void> {}
}

/** Creates and starts an update. Fails with {@link BaseMovedError} if the state is not the one that was read. */
async function startUpdate(
  context: ServiceContext,
  { id, deployment, tags }: ReadStack,
  operation: OperationStart,
): Promise<OperationLog> {
  const { http, now, waitForLockMs } = context;
  const names = { ...pathNames(context, id), kind: kindOf(operation) };
  const body = await settled(requestOf(id, operation));
  const { updateID } = await ofStack(id, () => http.json('createUpdate', CreatedBody, { names, body }));
  const update = { ...names, kind: 'update', update: updateID };
  const startedAt = now().getTime();
  const started = await http
    .json('startUpdate', StartedBody, {
      names: update,
      body: { tags: tagsOf(id, tags, operation), journalVersion: 1 },
    })
    .catch((thrown: unknown) => {
      const other = thrown instanceof ServiceRefusal && thrown.diagnostics[0]?.code === 'CAIRN-STATE-LOCKED';
      // The caller may wait for the other operation, and begin on what it leaves.
      throw other && waitForLockMs > 0 ? new BaseMovedError(id, 'another operation has begun') : thrown;
    });
  const lease = new UpdateLease(context, {
    ...{ id, names: update, token: started.token, until: started.tokenExpiration ?? undefined },
  });
  const journaled = started.journalVersion === 1;
  const log = new ServiceOperation(context, {
    ...{ id, lease, version: started.version, journaled, base: deployment, startedAt },
  });
  try {
    const base = (await stateInService(context, id)) ?? emptyDeployment;
    if (isDeepStrictEqual(base, deployment)) return log;
    throw new BaseMovedError(id, 'another operation has ended');
  } catch (thrown) {
    await log.abandon().catch(() => undefined);
    throw thrown;
  }
}

/** Returns the tags of a stack with those that describe its program. */
function tagsOf({ project }: StackId, tags: StackTags, { program }: OperationStart): StackTags {
  if (program === undefined) return tags;
  const { runtime, description = '' } = program;
  return {
    ...tags,
    'pulumi:project': project,
    'pulumi:runtime': runtime,
    ...(description !== '' && { 'pulumi:description': description }),
  };
}

/** Returns the kind of the route that creates an update. */
function kindOf({ kind }: OperationStart): string {
  if (kind === 'refresh' || kind === 'destroy') return kind;
  if (kind === 'update' || kind === 'resource-import') return 'update';
  throw new BugError(`a service runs no operation of kind ${kind}`);
}

function requestOf(id: StackId, { message, environment, config, program }: OperationStart): object {
  return {
    name: id.project,
    runtime: program?.runtime ?? '',
    main: program?.main ?? '',
    description: program?.description ?? '',
    options: { localPolicyPackPaths: null, color: 'raw', dryRun: false, parallel: 0 },
    config: configTexts(config),
    metadata: { message, environment },
  };
}
