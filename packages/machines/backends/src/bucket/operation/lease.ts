import type { Crypter } from '@cairn/crypters';
import { BugError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { decodeSnapshot, emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { ALL } from '../claims/claims.js';
import { lineageOfChange, unfinishedLineage } from '../records/change-lineage.js';
import type { LineageReader } from '../records/change-lineage.js';
import type { FinishedChange, StoredChange } from '../../model/change-row.js';
import { changesInDoubt } from '../records/open-doubts.js';
import { LookedChanges } from '../records/looked-changes.js';
import { lockAndRecover } from '../stacks/locked.js';
import { foundKey } from '../stacks/read-stack.js';
import type { StackId } from '../../stack-id.js';
import { beginOperation } from './begin-operation.js';
import type { OperationLog, OperationStart } from '../../model/operation-log.js';
import type { ChangeLineage } from '../../model/change-lineage.js';
import type { LeaseOptions, StackLease } from '../../model/stack-lease.js';
import { stackNotFound } from '../../model/stack-errors.js';
import { usable } from '../../model/integrity.js';
import type { OperationBase } from './operation-base.js';

/** Locks, recovers, reads, checks and decodes, in this order. Releases the lock when one of them fails. */
export async function openLease(
  context: BackendContext,
  id: StackId,
  options: LeaseOptions,
): Promise<StackLease> {
  const claims = options.claims ?? ALL;
  let reading: Promise<StoredCheckpoint | undefined> | undefined;
  const locked = await lockAndRecover(context, id, claims, options.interrupted, (held) => {
    reading = loadCheckpoint(context.store, id, foundKey(context, id, held));
    reading.catch(() => undefined);
  });
  const { lock, notes, finished, journals, untouched } = locked;
  const looked = new LookedChanges(context.store, id, journals);
  if (!lock.joined) void looked.readAhead();
  try {
    const base = await ((untouched && reading) || loadCheckpoint(context.store, id));
    if (base === undefined) throw stackNotFound(id);
    const deployment = deploymentOf(base) ?? emptyDeployment;
    const skip = (options.integrity ?? context.integrity) === 'skip';
    const warnings = skip ? [] : usable(deployment);
    const crypter = await options.openCrypter(deployment.secretsProvider, deployment);
    const reader = { store: context.store, process: context.process, openCrypter: options.openCrypter };
    // Nothing is continued beside other operations: their results are not part of the state yet.
    const unfinished = lock.joined ? NONE : await unfinishedLineage(reader, id, looked, base);
    const doubts = lock.joined ? NONE_IN_DOUBT : await changesInDoubt(reader, id, looked);
    const damage = unfinished.warnings.length > 0 ? unfinished.warnings : doubts.warnings;
    const told = [...notes, ...warnings, ...damage];
    const leased = {
      lock,
      claims,
      journals,
      previous: lock.joined ? undefined : await looked.newestFold(),
      id,
      base,
      deployment,
      reader,
      finished,
      unfinished: unfinished.lineage,
      inDoubt: doubts.changes,
    };
    return new Lease(context, leased, crypter, told);
  } catch (thrown) {
    await lock.release().catch(() => undefined);
    throw thrown;
  }
}

const NONE = { lineage: undefined, warnings: [] } as const;
const NONE_IN_DOUBT = { changes: [], warnings: [] } as const;

interface Leased extends OperationBase {
  readonly reader: LineageReader;
  readonly finished: readonly FinishedChange[];
  readonly unfinished: ChangeLineage | undefined;
  readonly inDoubt: readonly StoredChange[];
}

class Lease implements StackLease {
  readonly stack: StackId;
  readonly deployment: SerializedDeployment;
  readonly snapshot: StackLease['snapshot'];
  readonly finished: readonly FinishedChange[];
  readonly unfinished: ChangeLineage | undefined;
  readonly inDoubt: readonly StoredChange[];
  #begun = false;
  #released: Promise<void> | undefined;
  readonly #context: BackendContext;
  readonly #leased: Leased;

  constructor(
    context: BackendContext,
    leased: Leased,
    readonly crypter: Crypter,
    readonly notes: readonly Diagnostic[],
  ) {
    this.#context = context;
    this.#leased = leased;
    this.stack = leased.id;
    this.deployment = leased.deployment;
    this.finished = leased.finished;
    this.unfinished = leased.unfinished;
    this.inDoubt = leased.inDoubt;
    this.snapshot = decodeSnapshot(leased.deployment, crypter, leased.base.key);
  }

  lineage(number: number): Promise<ChangeLineage> {
    return lineageOfChange(this.#leased.reader, this.#leased.id, number);
  }

  begin(operation: OperationStart): Promise<OperationLog> {
    if (this.#begun || this.#released !== undefined) throw new BugError('a lease serves one operation');
    this.#begun = true;
    return beginOperation(this.#context, this.#leased, operation);
  }

  release(): Promise<void> {
    this.#released ??= this.#leased.lock.release();
    return this.#released;
  }
}
