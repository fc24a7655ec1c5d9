import type { StackId, StateDocument, UpdateKind } from '@cairn/backends';
import { isCairnError } from '@cairn/diagnostics';
import { LONGEST_LEASE } from '@cairn/http-api';
import type { ConfigValue, RenewLeaseAnswer, StartUpdateAnswer, UpdateStatusAnswer } from '@cairn/http-api';
import { newToken, sameHash, tokenHash } from '../crypto/tokens.js';
import { checkedDocument, foldJournal } from '../domain/fold.js';
import { leaseEnd } from '../domain/lease.js';
import { Refusal } from '../domain/refusal.js';
import { WIRE_STATUS } from '../domain/update-info.js';
import { leaseExpired, nextStatus } from '../domain/update-machine.js';
import type { UpdateCall } from '../domain/update-machine.js';
import type { UpdateEnding, UpdateRecord } from '../domain/update-record.js';
import type { RunningNote } from '../store/service-store.js';
import { recorded } from './brief-update.js';
import { LiveUpdate, journalOf } from './live-update.js';
import { seconds } from './service-ports.js';
import type { ServicePorts } from './service-ports.js';
import { stackKey } from './stack-names.js';
import { anotherUpdate, releaseLock, takeLock } from './stack-locks.js';
import { noteLatest, recordOf } from './stack-records.js';
import type { Turns } from './turns.js';

/** Request of an update, as its creation sends it. */
interface UpdateRequest {
  readonly kind: UpdateKind;
  readonly dryRun: boolean;
  readonly by: string;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, ConfigValue>>;
}

/** Update that a call names, with the token of its holder. */
export interface UpdateCallOf {
  readonly stack: StackId;
  readonly id: string;
  readonly token: string;
}

/** Batch of events with the counts of its summary, if it has one. */
interface EventBatch {
  readonly bytes: Uint8Array;
  readonly resourceChanges: Readonly<Record<string, number>> | undefined;
}

/** Options of a start. */
interface StartOptions {
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly journal: boolean;
}

/**
 * Life of updates. Everything about one stack, except its previews, happens in the turn of the stack: at most one
 * update runs on it, and what the rules find true is true while it is stored.
 */
export class Updates {
  readonly #live = new Map<string, LiveUpdate>();
  readonly #ports: ServicePorts;
  readonly #turns: Turns;

  constructor(ports: ServicePorts, turns: Turns) {
    this.#ports = ports;
    this.#turns = turns;
  }

  /** Creates an update. Nothing is locked yet. */
  create(stack: StackId, request: UpdateRequest): Promise<string> {
    return this.#turns.run(stackKey(stack), async () => {
      const { id: stackId } = await recordOf(this.#ports, stack);
      const { newId, now, store } = this.#ports;
      const id = newId();
      await store.putUpdateRecord({ ...request, id, stackId, status: 'created', createdAt: seconds(now()) });
      return id;
    });
  }

  /** Starts an update: locks the stack, unless it is a preview, and gives its holder a lease. */
  async start(stack: StackId, id: string, options: StartOptions): Promise<StartUpdateAnswer> {
    return this.#turns.run(stackKey(stack), async () => {
      const record = await this.#recordIn(stack, id);
      nextStatus(record, 'start');
      const version = await this.version(stack);
      if (options.tags !== undefined) await this.#ports.store.setTags(stack, options.tags);
      if (record.dryRun) return { version, journalVersion: 0, ...(await this.#run(stack, record, {})) };
      await this.refuseSecond(stack);
      const journaled = options.journal;
      const note = { ...stack, stackId: record.stackId, id };
      await takeLock(this.#ports.store, note, `update ${id} of ${record.by} runs through the state service`);
      try {
        const base = await this.#ports.store.readState(stack);
        await this.#ports.store.putBase(record.stackId, id, base);
        const lease = await this.#run(stack, record, { journaled, stamp: this.#ports.store.stamp() });
        await noteLatest(this.#ports, stack, id);
        return { version: version + 1, journalVersion: journaled ? 1 : 0, ...lease };
      } catch (thrown) {
        this.#live.delete(id);
        await releaseLock(this.#ports.store, note);
        throw thrown;
      }
    });
  }

  /** Renews the lease of an update. Its token remains. */
  renew(call: UpdateCallOf, duration: number): Promise<RenewLeaseAnswer> {
    return this.#holding(call, 'renew', async (live) => {
      live.deadline = leaseEnd(this.#ports.monotonic(), duration);
      return { token: call.token, tokenExpiration: seconds(this.#ports.now()) + duration };
    });
  }

  /** Stores a journal batch; it is durable when this resolves. */
  async addEntries(call: UpdateCallOf, texts: readonly string[]): Promise<void> {
    const { durable } = await this.#holding(call, 'write', async (live) => {
      if (live.record.journaled !== true) throw new Refusal(409, 'The update keeps no journal.');
      return live.addEntries(texts);
    });
    await durable;
  }

  /** Stores a whole state in the middle of an update. */
  storeCheckpoint(call: UpdateCallOf, document: StateDocument): Promise<void> {
    return this.#holding(call, 'write', async (live) => {
      const { dryRun, journaled, id } = live.record;
      if (dryRun || journaled === true)
        throw new Refusal(409, dryRun ? 'A preview stores no state.' : 'The update keeps a journal.');
      await this.#ports.store.storeState(
        live.stack,
        id,
        checkedDocument(document, 'the checkpoint', this.#ports),
      );
    });
  }

  /** Stores a batch of events. */
  async addEvents(call: UpdateCallOf, { bytes, resourceChanges }: EventBatch): Promise<void> {
    const { durable } = await this.#holding(call, 'events', async (live) => {
      if (resourceChanges !== undefined) {
        live.record = { ...live.record, resourceChanges };
        await this.#ports.store.putUpdateRecord(live.record);
      }
      return live.addEvents(bytes);
    });
    await durable;
  }

  /** Ends an update. Doing it again with the same result changes nothing. */
  complete(call: UpdateCallOf, status: 'succeeded' | 'failed'): Promise<void> {
    const machineCall = status === 'succeeded' ? 'succeed' : 'fail';
    return this.#turns.run(stackKey(call.stack), async () => {
      const record = await this.#authorised(call);
      if (nextStatus(record, machineCall) === 'repeat') return;
      await this.#end(await this.#leased(call.stack, record), { status, at: seconds(this.#ports.now()) });
    });
  }

  /** Cancels an update. Its holder learns of it with its next call. */
  cancel(stack: StackId, id: string): Promise<void> {
    return this.#turns.run(stackKey(stack), async () => {
      const record = await this.#recordIn(stack, id);
      if (nextStatus(record, 'cancel') === 'repeat') return;
      const ending = { status: 'cancelled', at: seconds(this.#ports.now()) } as const;
      const live = this.#live.get(id);
      if (live !== undefined) return this.#end(live, ending);
      await this.#ports.store.putUpdateRecord({ ...record, status: 'cancelled', ending });
    });
  }

  async status(stack: StackId, id: string): Promise<UpdateStatusAnswer> {
    return { status: WIRE_STATUS[(await this.#recordIn(stack, id)).status], events: [] };
  }

  /** Returns the batches of events of an update, as they came, and if there may be more. */
  async events(
    stack: StackId,
    id: string,
  ): Promise<{ readonly batches: readonly Buffer[]; readonly ended: boolean }> {
    const record = await this.#recordIn(stack, id);
    const batches = await this.#ports.store.readLog(record.stackId, id, 'events');
    return { batches, ended: record.status !== 'running' && record.status !== 'created' };
  }

  /** Returns the update that runs on a stack, and is no preview. */
  running(stack: StackId): UpdateRecord | undefined {
    const key = stackKey(stack);
    for (const live of this.#live.values())
      if (!live.record.dryRun && stackKey(live.stack) === key) return live.record;
    return undefined;
  }

  /** Returns the state of a stack: that of an update that runs, or the stored one. */
  async state(stack: StackId): Promise<StateDocument> {
    const running = this.running(stack);
    if (running?.journaled !== true) return this.#ports.store.readState(stack);
    const { base, entries } = await journalOf(this.#ports.store, running);
    return foldJournal(base, entries, this.#foldFacts());
  }

  /** Returns the version of a stack: the number of updates in its history. */
  async version(stack: StackId): Promise<number> {
    const [newest] = await this.#ports.store.history(stack, { size: 1 });
    return newest?.number ?? 0;
  }

  /** Refuses work on a stack on which an update runs. Ends one whose lease has run out. Runs in the stack's turn. */
  async refuseSecond(stack: StackId): Promise<void> {
    const running = this.running(stack);
    const live = running && this.#live.get(running.id);
    if (live === undefined) return;
    if (!this.#isLapsed(live)) throw anotherUpdate(`It is update ${live.record.id} of ${live.record.by}.`);
    await this.#expire(live);
  }

  /** Takes up the updates that ran when the service ended. Each gets a new lease, so that its client can continue. */
  async resume(): Promise<void> {
    for (const note of await this.#ports.store.runningNotes())
      await this.#resumeOne(note).catch((thrown: unknown) =>
        this.#ports.failed(`resume update ${note.id}`, thrown),
      );
  }

  /** Ends the updates whose lease has run out. */
  async sweep(): Promise<void> {
    for (const live of [...this.#live.values()].filter((each) => this.#isLapsed(each)))
      await this.#turns
        .run(stackKey(live.stack), async () => {
          if (this.#live.get(live.record.id) === live && this.#isLapsed(live)) await this.#expire(live);
        })
        .catch((thrown: unknown) => this.#ports.failed(`end update ${live.record.id}`, thrown));
  }

  /** Waits for everything that is being stored. */
  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.close()));
  }

  async #resumeOne({ stackId, id, ...stack }: RunningNote): Promise<void> {
    const { store, monotonic } = this.#ports;
    const record = await store.updateRecord(stackId, id);
    if (record?.status !== 'running') return releaseLock(this.#ports.store, { ...stack, stackId, id });
    const live = new LiveUpdate(store, stack, record, leaseEnd(monotonic(), LONGEST_LEASE));
    this.#live.set(id, live);
    if (record.ending !== undefined)
      await this.#turns.run(stackKey(stack), () => this.#end(live, record.ending as UpdateEnding));
  }

  /** Does work for the holder of an update, in its turn. */
  #holding<T>(
    call: UpdateCallOf,
    machineCall: UpdateCall,
    work: (live: LiveUpdate) => Promise<T>,
  ): Promise<T> {
    return this.#turns.run(stackKey(call.stack), async () => {
      const record = await this.#authorised(call);
      nextStatus(record, machineCall);
      return work(await this.#leased(call.stack, record));
    });
  }

  /** Returns an update whose lease has not run out. Ends one whose lease has. */
  async #leased(stack: StackId, record: UpdateRecord): Promise<LiveUpdate> {
    const live = this.#live.get(record.id) ?? this.#resumePreview(stack, record);
    if (live === undefined) throw leaseExpired();
    if (!this.#isLapsed(live)) return live;
    await this.#expire(live);
    throw leaseExpired();
  }

  /** Takes up a preview that ran when the service ended. It holds no lock, so no note of it is found at the start. */
  #resumePreview(stack: StackId, record: UpdateRecord): LiveUpdate | undefined {
    if (!record.dryRun || record.ending !== undefined) return undefined;
    const { store, monotonic } = this.#ports;
    const live = new LiveUpdate(store, stack, record, leaseEnd(monotonic(), LONGEST_LEASE));
    this.#live.set(record.id, live);
    return live;
  }

  #isLapsed(live: LiveUpdate): boolean {
    return this.#ports.monotonic() > live.deadline;
  }

  #expire(live: LiveUpdate): Promise<void> {
    return this.#end(live, { status: 'failed', expired: true, at: seconds(this.#ports.now()) });
  }

  /** Marks an update as running and makes its token. */
  async #run(
    stack: StackId,
    record: UpdateRecord,
    more: Pick<UpdateRecord, 'journaled' | 'stamp'>,
  ): Promise<Pick<StartUpdateAnswer, 'token' | 'tokenExpiration'>> {
    const { store, now, monotonic } = this.#ports;
    const token = newToken('update');
    const startedAt = seconds(now());
    const running = {
      ...record,
      ...more,
      status: 'running',
      startedAt,
      tokenHash: tokenHash(token),
    } as const;
    await store.putUpdateRecord(running);
    this.#live.set(record.id, new LiveUpdate(store, stack, running, leaseEnd(monotonic(), LONGEST_LEASE)));
    return { token, tokenExpiration: startedAt + LONGEST_LEASE };
  }

  /**
   * Stores what an update did and ends it. The ending is written first: after a crash the update is ended the same way.
   * Every step may be repeated.
   */
  async #end(live: LiveUpdate, ending: UpdateEnding): Promise<void> {
    const { store } = this.#ports;
    live.record = { ...live.record, ending };
    await store.putUpdateRecord(live.record);
    await live.close();
    const { dryRun, id, stackId } = live.record;
    const problem = dryRun ? undefined : await this.#storeResult(live, ending);
    const { status, expired } = ending;
    await store.putUpdateRecord({
      ...live.record,
      status,
      ...(expired && { expired }),
      ...(problem && { problem }),
    });
    this.#live.delete(id);
    if (dryRun) return;
    await releaseLock(this.#ports.store, { ...live.stack, stackId, id });
  }

  /** Stores the state of an update with its entry in the history. Returns the reason if that is not possible. */
  async #storeResult(live: LiveUpdate, ending: UpdateEnding): Promise<string | undefined> {
    const { store, failed } = this.#ports;
    const { record, stack } = live;
    try {
      await store.storeState(stack, record.id, await this.state(stack), recorded(record, ending));
      return undefined;
    } catch (thrown) {
      const code = isCairnError(thrown) ? thrown.diagnostics[0]?.code : undefined;
      if (code === undefined || !LASTING.has(code)) throw thrown;
      failed(`store the state of update ${record.id}`, thrown);
      return code;
    }
  }

  async #recordIn(stack: StackId, id: string): Promise<UpdateRecord> {
    const live = this.#live.get(id);
    if (live !== undefined && stackKey(live.stack) === stackKey(stack)) return live.record;
    const known = UUID.test(id) ? await this.#ports.store.stackRecord(stack) : undefined;
    const record = known && (await this.#ports.store.updateRecord(known.id, id));
    if (record === undefined) throw new Refusal(404, 'Update not found.');
    return record;
  }

  async #authorised({ stack, id, token }: UpdateCallOf): Promise<UpdateRecord> {
    const record = await this.#recordIn(stack, id);
    if (record.tokenHash !== undefined && sameHash(record.tokenHash, tokenHash(token))) return record;
    throw new Refusal(403, 'The token is not the token of this update.');
  }

  #foldFacts(): { readonly now: Date; readonly version: string } {
    return { now: this.#ports.now(), version: this.#ports.version };
  }
}

/** Failures to store a state that trying again does not mend. The journal of the update stays. */
const LASTING: ReadonlySet<string> = new Set([
  'CAIRN-LEASE-LOST',
  'CAIRN-STACK-NOT-FOUND',
  'CAIRN-JOURNAL-CORRUPT',
  'CAIRN-STATE-CORRUPT',
  'CAIRN-STATE-INTEGRITY',
  'CAIRN-STATE-TOO-NEW',
]);

const UUID = /^[0-9a-f-]{36}$/;
