import type { DriftRow, RunRow } from '@cairn/changes-daemon';
import { hasRunEnded, isDriftRow, isRunRow } from '@cairn/changes-daemon';
import { RUN_LEASE_SECONDS, numberOfDeployment } from '@cairn/http-api';
import { ROWS } from '../runs/ledger.js';
import type { LedgerStore } from '../runs/ledger.js';
import { RefusedByService } from './service-api.js';
import type { RunPlace, ServiceApi } from './service-api.js';

/** Time between two reports of a run or a look about which there is nothing new, in milliseconds. */
export const REPORT_MS = 10_000;
/** Time between two attempts of a report, in milliseconds. */
const RETRY_MS = 1_000;

/** Line of the log of a run. */
interface Line {
  readonly timestamp: string;
  readonly line: string;
}

/** Report that is not sent yet. */
interface Unsent {
  rows: RunRow[];
  lines: Line[];
  notices: { readonly type: string; readonly key: string; readonly data: Readonly<Record<string, string>> }[];
  drift: DriftRow | undefined;
  plan: string | undefined;
}

interface StoreParts {
  readonly api: ServiceApi;
  readonly agent: string;
  readonly place: RunPlace;
  readonly fence: number;
  readonly row: RunRow;
  /** Called once, when another agent may have the run. */
  readonly onLost: (why: string) => void;
}

/**
 * Rows of one run, kept by the service under a lease. Writes are sent in their order; `stored` resolves when the
 * service has them. The lease is renewed all the time; if it is lost, or cannot be renewed, the run is lost [AGT-14].
 */
export class ServiceRunStore implements LedgerStore {
  readonly notices: LedgerStore['notices'];
  readonly #parts: StoreParts;
  readonly #data = new Map<string, unknown>();
  #unsent: Unsent = nothing();
  #sending: Promise<void> = Promise.resolve();
  #renewedAt = performance.now();
  #lost: string | undefined;
  #rests = false;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#data.set(ROWS.runs + parts.row.id, parts.row);
    this.notices = {
      add: (type, key, { data = {} } = {}) => {
        this.#unsent.notices.push(servedNotice(parts.row, type, key, data));
        return '';
      },
    } as LedgerStore['notices'];
    this.#timer = setInterval(() => this.#renew(), REPORT_MS);
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  read<T>(key: string, check: (value: unknown) => value is T): T | undefined {
    const value = this.#data.get(key);
    return check(value) ? value : undefined;
  }

  entries<T>(prefix: string, check: (value: unknown) => value is T): ReadonlyMap<string, T> {
    return new Map(
      [...this.#data].flatMap(([key, value]): [string, T][] =>
        key.startsWith(prefix) && check(value) ? [[key.slice(prefix.length), value]] : [],
      ),
    );
  }

  tx(run: (t: { set(key: string, value: unknown): void }) => void): void {
    run({
      set: (key, value) => {
        this.#data.set(key, value);
        if (key.startsWith(ROWS.runs) && isRunRow(value)) this.#unsent.rows.push(value);
        if (key.startsWith(ROWS.drift) && isDriftRow(value)) this.#unsent.drift = value;
      },
    });
  }

  /** Adds a line to the log of the run. */
  addLine(line: string): void {
    this.#unsent.lines.push({ timestamp: new Date().toISOString(), line: `${line}\n` });
  }

  /** Has the service keep the plan of the run, for the agent that applies it. */
  setPlan(plan: string): void {
    this.#unsent.plan = plan;
  }

  /** Sends what is not sent yet. If there is nothing, it waits for what is on its way. Fails if the run is lost. */
  async stored(): Promise<void> {
    if (!isEmpty(this.#unsent)) return this.#send(false);
    await this.#sending;
    if (this.#lost !== undefined) throw new Error(this.#lost);
  }

  /** Gives the run back. One that is lost, or rests since the last report, is not that of this agent any more. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    if (!this.isLost && !this.#rests) await this.#send(true);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #renew(): void {
    void this.#send(false).catch(() => undefined);
  }

  /** Sends what is not sent yet after everything before. Fails if the run is lost. */
  #send(release: boolean): Promise<void> {
    const sent = this.#sending.then(() => this.#attempts(release));
    this.#sending = sent.catch(() => undefined);
    return sent;
  }

  async #attempts(release: boolean): Promise<void> {
    const { api, agent, place, fence } = this.#parts;
    const unsent = this.#unsent;
    this.#unsent = nothing();
    const { drift, plan, ...lists } = unsent;
    const report = {
      ...{ agent, fence, release, lines: lists.lines, notices: lists.notices },
      rows: lists.rows.map((row) => ({ ...row })),
      ...(drift !== undefined && { drift: { ...drift } }),
      ...(plan !== undefined && { plan }),
    };
    for (;;) {
      if (this.#lost !== undefined) throw new Error(this.#lost);
      if (this.#rests) return;
      const at = performance.now();
      try {
        await api.attend(place, report);
        this.#renewedAt = at;
        const status = lists.rows.at(-1)?.status;
        if (status !== undefined && (status === 'waiting' || hasRunEnded(status))) this.#rest();
        return;
      } catch (thrown) {
        if (thrown instanceof RefusedByService) this.#lose(thrown.message);
        else if (performance.now() - this.#renewedAt > RUN_LEASE_SECONDS * 1000)
          this.#lose('the service does not answer');
        else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Ends the reports: the service has freed the run. */
  #rest(): void {
    this.#rests = true;
    clearInterval(this.#timer);
  }

  #lose(why: string): void {
    this.#lost = why;
    clearInterval(this.#timer);
    this.#parts.onLost(why);
  }
}

/** Returns a notice as the service has it. The service adds the stack, and people know the run by its number. */
function servedNotice(
  { id, stack }: RunRow,
  type: string,
  key: string,
  data: Readonly<Record<string, string>>,
): Unsent['notices'][number] {
  const number = String(numberOfDeployment(id) ?? id);
  const { stack: _named, ...facts } = data;
  return {
    type,
    key: key === id ? number : key === stack ? '' : key,
    data: facts['run'] === id ? { ...facts, run: number } : facts,
  };
}

function isEmpty({ rows, lines, notices, drift, plan }: Unsent): boolean {
  return rows.length + lines.length + notices.length === 0 && drift === undefined && plan === undefined;
}

function nothing(): Unsent {
  return { rows: [], lines: [], notices: [], drift: undefined, plan: undefined };
}
