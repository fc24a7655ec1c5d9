import type { StackId, StateText, UpdateKind } from '@cairn/backends';
import { LONGEST_LEASE } from '@cairn/http-api';
import type {
  ChangeEndRequest,
  ChangeRequest,
  ConfigValueMessage,
  RenewLeaseAnswer,
  StartUpdateAnswer,
  UpdateStatusAnswer,
} from '@cairn/http-api';
import { randomToken, tokenHash } from '../crypto/tokens.js';
import type { BatchItems } from '../domain/batch-acceptance.js';
import { admission, journalAdmission, refuseOthers } from '../domain/admission.js';
import { checkedDocument } from '../domain/fold.js';
import { pageOfUpdate } from '../domain/hooks.js';
import { leaseMs } from '../domain/lease.js';
import { Refusal } from '../domain/refusal.js';
import { WIRE_STATUS } from '../domain/update-info.js';
import { LeaseExpired, nextStatus } from '../domain/update-machine.js';
import type { UpdateCall } from '../domain/update-machine.js';
import { hasChange } from '../domain/update-record.js';
import type { UpdateRecord } from '../domain/update-record.js';
import type { EventBatch, StackStore, UpdateName } from '../store/service-store.js';
import { refuseOutOfTurn } from './queue.js';
import { checkUpdateId, knownUpdate } from './known-update.js';
import { pageAddress } from './page-address.js';
import type { UpdateEnds } from './update-ends.js';
import { inStackTurn, seconds } from './service-ports.js';
import type { ServicePorts, TurnPorts } from './service-ports.js';
import { releaseLock, lockServedStack } from './stack-locks.js';
import { noteNews, recordOf } from './stack-records.js';

/** Request of an update, as its creation sends it. */
interface UpdateRequest {
  readonly kind: UpdateKind;
  readonly dryRun: boolean;
  readonly by: string;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, ConfigValueMessage>>;
  readonly change: ChangeRequest | undefined;
}

/** End of an update as its client says it. */
interface EndRequest {
  readonly status: 'succeeded' | 'failed';
  readonly change: ChangeEndRequest | undefined;
}

/** Update that a call names, with the token of its holder. */
export interface UpdateCallOf extends UpdateName {
  readonly token: string;
}

/** Options of a start. */
interface StartOptions {
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly journal: boolean;
  /** Place of the client in the queue of the stack. */
  readonly ticket: string | undefined;
}

/**
 * Life of updates. Everything about one stack, except its previews, happens in a turn of the stack: at most one update
 * runs on it, and what the rules find true is true while it is stored.
 */
export class Updates {
  readonly #ports: ServicePorts;
  readonly #ends: UpdateEnds;

  constructor(ports: ServicePorts, ends: UpdateEnds) {
    this.#ports = ports;
    this.#ends = ends;
  }

  /** Creates an update. Nothing is locked yet. */
  create(stack: StackId, { change, ...request }: UpdateRequest): Promise<string> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      const { id: stackId } = await recordOf(ports, stack);
      const { newId, now, store } = ports;
      const id = newId();
      const createdAt = seconds(now());
      const kept = change !== undefined && !request.dryRun ? { ...request, change } : request;
      await store.putUpdateRecord(stack, { ...kept, id, stackId, status: 'created', createdAt });
      return id;
    });
  }

  /** Starts an update: locks the stack, unless it is a preview, and gives its holder a lease. */
  start(stack: StackId, id: string, options: StartOptions): Promise<StartUpdateAnswer> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      const { store } = ports;
      const { record } = await knownUpdate(store, { stack, id });
      nextStatus(record, 'start');
      const version = await this.version(stack, store);
      if (!record.dryRun) {
        await this.#ends.refuseSecond(stack, ports);
        await refuseOutOfTurn(ports, record.stackId, options.ticket);
      }
      if (options.tags !== undefined) await store.setTags(stack, options.tags);
      if (record.dryRun) {
        const place = { previewOf: version, stamp: await store.stamp(stack) };
        return { version, journalVersion: 0, ...(await run(ports, stack, record, place)) };
      }
      const journaled = options.journal;
      const note = { ...stack, stackId: record.stackId, id };
      await lockServedStack(store, note, `update ${id} of ${record.by} runs through the state service`);
      try {
        const base = await store.readState(stack);
        await store.putBase(record, base);
        await noteNews(ports, stack, { latest: id, keepsMark: false });
        const change = hasChange(record)
          ? await store.openChange({ stack, stackId: record.stackId }, record, { version, base })
          : undefined;
        const started = change && { change: { ...record.change, number: change.number, stack } };
        if (options.ticket !== undefined) await store.removeTicket(record.stackId, options.ticket);
        const place = { journaled, stamp: await store.stamp(stack) };
        const lease = await run(ports, stack, { ...record, ...started } as UpdateRecord, place);
        return {
          version: version + 1,
          journalVersion: journaled ? 1 : 0,
          ...lease,
          ...(change && { change }),
        };
      } catch (thrown) {
        await releaseLock(store, note);
        throw thrown;
      }
    });
  }

  /** Refuses a token that is not that of an update, before more is done for its caller. */
  async checkHolder({ token, ...update }: UpdateCallOf): Promise<void> {
    refuseOthers((await knownUpdate(this.#ports.store, update)).record, token);
  }

  /** Renews the lease of an update. Its token remains. */
  renew(call: UpdateCallOf, duration: number): Promise<RenewLeaseAnswer> {
    return this.#held(call, 'renew', async ({ store }, record) => {
      const now = await store.extendLease(record, leaseMs(duration));
      return { token: call.token, tokenExpiration: seconds(new Date(now)) + duration };
    });
  }

  /** Stores a journal batch; it is durable when this resolves. */
  addEntries(call: UpdateCallOf, items: BatchItems): Promise<void> {
    const admit = journalAdmission(call.token);
    return this.#endingLapsed(call, async () => {
      await this.#ports.store.appendEntries(call, admit, items);
      this.#ports.observer?.batchStored(items.entries.length);
    });
  }

  /** Stores a whole state in the middle of an update. */
  storeCheckpoint(call: UpdateCallOf, document: StateText): Promise<void> {
    return this.#held(call, 'write', async (ports, { dryRun, journaled, id }) => {
      const { store, version } = ports;
      if (dryRun || journaled === true)
        throw new Refusal(409, dryRun ? 'A preview stores no state.' : 'The update keeps a journal.');
      const checked = checkedDocument(document, 'the checkpoint', { version });
      const stored = await store.storeState(call.stack, id, checked);
      if (stored !== undefined) await noteNews(ports, call.stack, { stored, keepsMark: true });
    });
  }

  /** Stores a batch of events. */
  addEvents(call: UpdateCallOf, batch: EventBatch): Promise<void> {
    const admit = admission(call.token, 'events');
    return this.#endingLapsed(call, () => this.#ports.store.appendEvents(call, admit, batch));
  }

  /** Ends an update. Doing it again with the same result changes nothing. `found` learns of it before it is stored. */
  complete(
    call: UpdateCallOf,
    { status, change }: EndRequest,
    found: (update: { readonly by: string; readonly isRepeat: boolean }) => void,
  ): Promise<void> {
    return this.#held(call, status === 'succeeded' ? 'succeed' : 'fail', async (ports, record) => {
      const isRepeat = record.status !== 'running';
      found({ by: record.by, isRepeat });
      if (isRepeat) return;
      const said = change !== undefined && hasChange(record) ? { change } : {};
      await this.#ends.end(ports, call.stack, record, { status, at: seconds(ports.now()), ...said });
    });
  }

  /** Cancels an update. Its holder learns of it with its next call. */
  cancel(stack: StackId, id: string): Promise<void> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      const { record } = await knownUpdate(ports.store, { stack, id });
      if (nextStatus(record, 'cancel') === 'repeat') return;
      const ending = { status: 'cancelled', at: seconds(ports.now()) } as const;
      if (record.status === 'running') return this.#ends.end(ports, stack, record, ending);
      await ports.store.putUpdateRecord(stack, { ...record, status: 'cancelled', ending });
    });
  }

  async status(stack: StackId, id: string): Promise<UpdateStatusAnswer> {
    const { record } = await knownUpdate(this.#ports.store, { stack, id });
    return { status: WIRE_STATUS[record.status], events: [] };
  }

  /** Returns the batches of events of an update, as they came, and if there may be more. */
  async events(
    stack: StackId,
    id: string,
  ): Promise<{ readonly batches: readonly Buffer[]; readonly ended: boolean }> {
    const { record } = await knownUpdate(this.#ports.store, { stack, id });
    const batches = await this.#ports.store.events(record);
    return { batches, ended: record.status !== 'running' && record.status !== 'created' };
  }

  /** Returns the update that runs on a stack and is not a preview. */
  async running(stack: StackId): Promise<UpdateRecord | undefined> {
    return (await this.#ports.store.runningUpdate(stack))?.record;
  }

  /** Returns the state of a stack: that of an update that runs, or the stored one. */
  async state(stack: StackId): Promise<StateText> {
    const { store } = this.#ports;
    const running = await this.running(stack);
    return running?.journaled === true ? this.#ends.folded(store, running) : store.readState(stack);
  }

  /** Returns the version of a stack: the number of updates in its history. */
  async version(stack: StackId, store: StackStore = this.#ports.store): Promise<number> {
    const [newest] = await store.history(stack, { size: 1 });
    return newest?.number ?? 0;
  }

  /** Does work for the holder of an update, in its turn. */
  #held<T>(
    call: UpdateCallOf,
    machineCall: UpdateCall,
    work: (ports: TurnPorts, record: UpdateRecord) => Promise<T>,
  ): Promise<T> {
    const admit = admission(call.token, machineCall);
    return this.#endingLapsed(call, () =>
      inStackTurn(this.#ports, [call.stack], async (ports) =>
        work(ports, admit(await ports.store.findUpdate(call))),
      ),
    );
  }

  /** Runs a call of the holder of an update. If it is refused because the lease has expired, the update ends. */
  async #endingLapsed<T>(call: UpdateName, work: () => Promise<T>): Promise<T> {
    checkUpdateId(call.id);
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof LeaseExpired) await this.#ends.endLapsed(call);
      throw thrown;
    }
  }
}

/** Marks an update as running, makes its token and gives it a lease. */
async function run(
  ports: TurnPorts,
  stack: StackId,
  record: UpdateRecord,
  more: Pick<UpdateRecord, 'journaled' | 'stamp' | 'previewOf'>,
): Promise<Pick<StartUpdateAnswer, 'token' | 'tokenExpiration' | 'consoleUrl'>> {
  const { store, now } = ports;
  const token = randomToken('update');
  const startedAt = seconds(now());
  const running = { ...record, ...more, status: 'running', startedAt, tokenHash: tokenHash(token) } as const;
  await store.putUpdateRecord(stack, running);
  const leasedAt = await store.extendLease(running, leaseMs(LONGEST_LEASE));
  const consoleUrl = pageAddress(ports, stack, pageOfUpdate(record));
  const tokenExpiration = seconds(new Date(leasedAt)) + LONGEST_LEASE;
  return { token, tokenExpiration, ...(consoleUrl !== undefined && { consoleUrl }) };
}
