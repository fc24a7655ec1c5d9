import type { StackId } from '@cairn/backends';
import type { FoundUpdate } from '../../domain/admission.js';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { RunningUpdate } from '../service-store.js';
import type { UpdateLogs } from './update-logs.js';

interface LiveUpdate extends RunningUpdate {
  readonly logs: UpdateLogs;
  /** End of its lease on the monotonic clock, in milliseconds. */
  readonly deadline: number;
}

/** Updates that run in this process, with their leases and open logs. */
export class LiveUpdates {
  readonly #live = new Map<string, LiveUpdate>();
  readonly #monotonic: () => number;
  readonly #open: (record: UpdateRecord) => UpdateLogs;

  constructor(monotonic: () => number, open: (record: UpdateRecord) => UpdateLogs) {
    this.#monotonic = monotonic;
    this.#open = open;
  }

  /** Notes the newest record of an update. One that ended is forgotten. */
  note(stack: StackId, record: UpdateRecord): void {
    if (record.status !== 'running') {
      this.#live.get(record.id)?.logs.forget();
      this.#live.delete(record.id);
      return;
    }
    const { logs = this.#open(record), deadline = 0 } = this.#live.get(record.id) ?? {};
    this.#live.set(record.id, { stack, record, logs, deadline });
  }

  extend(id: string, ms: number): void {
    const live = this.#live.get(id);
    if (live !== undefined) this.#live.set(id, { ...live, deadline: this.#monotonic() + ms });
  }

  find(id: string): RunningUpdate | undefined {
    return this.#live.get(id);
  }

  logs(id: string): UpdateLogs | undefined {
    return this.#live.get(id)?.logs;
  }

  /** Returns a record with the state of its lease. An update that is not here has none. */
  found(record: UpdateRecord): FoundUpdate {
    const { deadline = -1 } = this.#live.get(record.id) ?? {};
    return { record, lapsed: this.#monotonic() > deadline };
  }

  all(): readonly RunningUpdate[] {
    return [...this.#live.values()];
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map(({ logs }) => logs.close()));
  }
}
