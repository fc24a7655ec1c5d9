import { setTimeout as pause } from 'node:timers/promises';
import type { StackId } from '@cairn/backends';
import type { ConsoleRecordsEvent, ConsoleStackEvent } from '@cairn/http-api';
import type { ChangeCalls } from '../changes.js';
import type { ServicePorts } from '../service-ports.js';
import { shownRecord } from './shown-records.js';
import type { ShownRecord } from './shown-records.js';
import { stackPath } from './stack-views.js';

/** Time between two looks at a stack, in milliseconds: while an update runs, and otherwise. */
const RUNNING_MS = 400;
const IDLE_MS = 1500;
/** A look may take this part of the time at most, so that pages cost an operation little. */
const SHARE = 10;
/** Longest time between two looks, in milliseconds, also after a slow one. */
const LONGEST_MS = 5000;
/** Records in one event. */
const BATCH = 500;

/** Receives what is new about a stack. */
interface StackListener {
  stack(event: ConsoleStackEvent): void;
  /** Receives records of the newest change. Without it, none are read. */
  readonly records?: ((event: ConsoleRecordsEvent) => void) | undefined;
  /** The stack cannot be read any more. */
  gone(): void;
}

/** Place in the records of a change, after which a listener continues. */
export interface RecordPlace {
  readonly change: number;
  readonly seq: number;
}

interface Subscription {
  readonly listener: StackListener;
  place: RecordPlace | undefined;
}

/** Facilities of the watches. */
interface WatchPorts extends Pick<ServicePorts, 'store' | 'failed' | 'monotonic'> {
  readonly changes: ChangeCalls;
}

/** One stack that pages look at. All of them share one look at the store. */
class StackWatch {
  readonly #stack: StackId;
  readonly #ports: WatchPorts;
  readonly #subscriptions = new Set<Subscription>();
  readonly #ended = new AbortController();
  #last: ConsoleStackEvent | undefined;
  /** Change whose records are kept while there are listeners, and its records. */
  #change: number | undefined;
  #records: ShownRecord[] = [];
  /** Last event with records, and the place of its first one. Most listeners wait at the same place. */
  #batch: { readonly at: number; readonly event: ConsoleRecordsEvent } | undefined;

  constructor(stack: StackId, ports: WatchPorts) {
    this.#stack = stack;
    this.#ports = ports;
  }

  /** Adds a listener. It gets the facts at once, and records from its place on. Returns its end. */
  listen(listener: StackListener, place: RecordPlace | undefined): () => boolean {
    const subscription = { listener, place };
    this.#subscriptions.add(subscription);
    if (this.#subscriptions.size === 1 && this.#last === undefined) void this.#run();
    else {
      if (this.#last !== undefined) listener.stack(this.#last);
      this.#send(subscription);
    }
    return () => {
      this.#subscriptions.delete(subscription);
      if (this.#subscriptions.size > 0) return false;
      this.#ended.abort();
      return true;
    };
  }

  async #run(): Promise<void> {
    const { monotonic, failed } = this.#ports;
    while (!this.#ended.signal.aborted) {
      const began = monotonic();
      try {
        if (!(await this.#look())) return;
      } catch (thrown) {
        failed('watch a stack for the console', thrown);
      }
      const took = monotonic() - began;
      const usual = (this.#last?.running ?? null) === null ? IDLE_MS : RUNNING_MS;
      const wait = Math.min(LONGEST_MS, Math.max(usual, took * SHARE));
      await pause(wait, undefined, { ref: false, signal: this.#ended.signal }).catch(() => undefined);
    }
  }

  /** Looks once, and tells the listeners what is new. Returns false if there is nothing to look at any more. */
  async #look(): Promise<boolean> {
    const { store, changes } = this.#ports;
    if (!(await store.stackExists(this.#stack))) {
      for (const { listener } of this.#subscriptions) listener.gone();
      return false;
    }
    // In this order, nothing that runs means that the newest change has ended.
    const number = await changes.newest(this.#stack);
    const running = (await changes.running(this.#stack))?.update ?? null;
    const isWanted = [...this.#subscriptions].some(({ listener }) => listener.records !== undefined);
    if (number !== undefined && isWanted) await this.#read(number);
    const latest = running === null ? await this.#latest() : (this.#last?.latest ?? null);
    const event = { stack: stackPath(this.#stack), running, change: number ?? null, latest };
    // Records come first: the end of an operation follows its last record.
    for (const subscription of this.#subscriptions) this.#send(subscription);
    if (JSON.stringify(event) !== JSON.stringify(this.#last))
      for (const { listener } of this.#subscriptions) listener.stack(event);
    this.#last = event;
    return true;
  }

  /** Returns the newest update that has ended. A record that is damaged says nothing, and is marked elsewhere. */
  async #latest(): Promise<string | null> {
    const record = await this.#ports.store.stackRecord(this.#stack).catch(() => undefined);
    return record?.latest ?? null;
  }

  async #read(number: number): Promise<void> {
    if (number !== this.#change) {
      this.#change = number;
      this.#records = [];
    }
    const { records } = await this.#ports.changes.records(this.#stack, number, this.#records.length);
    for (const text of records) this.#records.push(shownRecord(text));
  }

  #send(subscription: Subscription): void {
    const change = this.#change;
    const { records: send } = subscription.listener;
    if (change === undefined || send === undefined) return;
    const from = subscription.place?.change === change ? subscription.place.seq : 0;
    for (let at = from; at < this.#records.length; at += BATCH) send(this.#batchAt(change, at));
    // A listener that comes while the records are read for the first time may have more of them.
    subscription.place = { change, seq: Math.max(from, this.#records.length) };
  }

  /** Returns the event with the records from a place on: the same one for all who wait there. */
  #batchAt(change: number, at: number): ConsoleRecordsEvent {
    const to = Math.min(at + BATCH, this.#records.length);
    const last = this.#batch;
    if (last?.event.change === change && last.at === at && at + last.event.records.length === to)
      return last.event;
    const event = { stack: stackPath(this.#stack), change, records: this.#records.slice(at, to) };
    this.#batch = { at, event };
    return event;
  }
}

/** Stacks that pages look at, each watched once for all of them. */
export class StackWatches {
  readonly #ports: WatchPorts;
  readonly #watches = new Map<string, StackWatch>();

  constructor(ports: WatchPorts) {
    this.#ports = ports;
  }

  /** Listens to a stack. Returns the end of it. */
  listen(stack: StackId, listener: StackListener, place: RecordPlace | undefined): () => void {
    const key = stackPath(stack);
    const watch = this.#watches.get(key) ?? new StackWatch(stack, this.#ports);
    this.#watches.set(key, watch);
    const unlisten = watch.listen(listener, place);
    return () => {
      if (unlisten() && this.#watches.get(key) === watch) this.#watches.delete(key);
    };
  }
}
