import type { Crypter } from '@cairn/crypters';
import { BugError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { decodeSnapshot, emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { deploymentOf, loadCheckpoint } from '../bucket/checkpoint/checkpoint-file.js';
import { lineageOfChange, unfinishedLineage } from '../bucket/records/change-lineage.js';
import { changesInDoubt } from '../bucket/records/open-doubts.js';
import { LookedChanges } from '../bucket/records/looked-changes.js';
import type { ChangeLineage } from '../model/change-lineage.js';
import type { StoredChange } from '../model/change-row.js';
import { usable } from '../model/integrity.js';
import type { OperationLog, OperationStart } from '../model/operation-log.js';
import { stackNotFound } from '../model/stack-errors.js';
import type { LeaseOptions, StackLease } from '../model/stack-lease.js';
import type { StackId } from '../stack-id.js';
import { recordsOf, refuseWithoutChanges } from './service-changes.js';
import type { ServiceContext } from './service-context.js';
import { stateInService } from './service-states.js';
import { idleStack } from './service-wait.js';
import { startUpdate } from './start-update.js';
import type { ReadStack } from './start-update.js';

/** Reads and decodes a stack on which no update runs. The service holds it from the beginning of an operation on. */
export async function openServiceLease(
  context: ServiceContext,
  id: StackId,
  options: LeaseOptions,
): Promise<StackLease> {
  const idle = await idleStack(context, id, options.interrupted);
  try {
    return await leaseIdle(context, id, options, idle);
  } catch (thrown) {
    await idle.place?.leave();
    throw thrown;
  }
}

async function leaseIdle(
  context: ServiceContext,
  id: StackId,
  options: LeaseOptions,
  { stack, notes, place }: Awaited<ReturnType<typeof idleStack>>,
): Promise<StackLease> {
  const { deployment, kept, ...earlier } = (await context.capabilities()).keepsChanges
    ? await readWithChanges(context, id, options)
    : { ...NO_CHANGES, deployment: (await stateInService(context, id)) ?? emptyDeployment };
  const skip = (options.integrity ?? context.integrity) === 'skip';
  const warnings = skip ? [] : usable(deployment);
  const crypter = await options.openCrypter(deployment.secretsProvider, deployment);
  const told = [...notes, ...warnings, ...earlier.warnings];
  const read = { id, deployment, kept, place, tags: stack.tags ?? {} };
  return new ServiceLease(context, { ...read, ...earlier, options }, crypter, told);
}

/** Earlier changes of a stack, as far as an operation needs them. */
interface EarlierChanges {
  readonly unfinished: ChangeLineage | undefined;
  readonly inDoubt: readonly StoredChange[];
  readonly warnings: readonly Diagnostic[];
}

const NO_CHANGES = { unfinished: undefined, inDoubt: [], warnings: [], kept: undefined } as const;

/** Reads a stack with its changes, as a bucket is read under its lock. */
async function readWithChanges(
  context: ServiceContext,
  id: StackId,
  { openCrypter }: LeaseOptions,
): Promise<EarlierChanges & Pick<ReadStack, 'deployment' | 'kept'>> {
  const records = recordsOf(context, id);
  // Looked at first: the service then stores what a process has left that died on its bucket.
  const looked = await LookedChanges.of(records.store, id);
  const base = await loadCheckpoint(records.store, id);
  if (base === undefined) throw stackNotFound(id);
  const deployment = deploymentOf(base) ?? emptyDeployment;
  const unfinished = await unfinishedLineage({ ...records, openCrypter }, id, looked, base);
  const doubts = await changesInDoubt(records, id, looked);
  return {
    deployment,
    kept: { records, digest: base.digest },
    unfinished: unfinished.lineage,
    inDoubt: doubts.changes,
    warnings: unfinished.warnings.length > 0 ? unfinished.warnings : doubts.warnings,
  };
}

class ServiceLease implements StackLease {
  readonly stack: StackId;
  readonly deployment: SerializedDeployment;
  readonly snapshot: StackLease['snapshot'];
  readonly finished = [];
  readonly unfinished: ChangeLineage | undefined;
  readonly inDoubt: readonly StoredChange[];
  #begun = false;
  readonly #context: ServiceContext;
  readonly #read: ReadStack & { readonly options: LeaseOptions };

  constructor(
    context: ServiceContext,
    read: ReadStack & EarlierChanges & { readonly options: LeaseOptions },
    readonly crypter: Crypter,
    readonly notes: readonly Diagnostic[],
  ) {
    this.#context = context;
    this.#read = read;
    this.stack = read.id;
    this.deployment = read.deployment;
    this.unfinished = read.unfinished;
    this.inDoubt = read.inDoubt;
    this.snapshot = decodeSnapshot(read.deployment, crypter, read.id.stack);
  }

  async lineage(number: number): Promise<ChangeLineage> {
    await refuseWithoutChanges(this.#context);
    const { id, options } = this.#read;
    return lineageOfChange({ ...recordsOf(this.#context, id), openCrypter: options.openCrypter }, id, number);
  }

  async begin(operation: OperationStart): Promise<OperationLog> {
    if (this.#begun) throw new BugError('a lease serves one operation');
    this.#begun = true;
    return startUpdate(this.#context, this.#read, operation);
  }

  async release(): Promise<void> {
    await this.#read.place?.leave();
  }
}
