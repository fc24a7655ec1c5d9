import {
  hasRunEnded,
  isDriftRow,
  isQueued,
  isRequestRow,
  isRunRow,
  isStackMarks,
  movedRun,
  occupiesStack,
  runOfRequest,
  placeRequest,
} from '@cairn/changes-daemon';
import type {
  DriftRow,
  Register,
  RegisterTx,
  RequestRow,
  RunCall,
  RunRow,
  StackMarks,
} from '@cairn/changes-daemon';
import { BugError } from '@cairn/diagnostics';

/** Keys of the register under which rows are stored. */
export const ROWS = { requests: 'requests/', runs: 'runs/', drift: 'drift/', stacks: 'stacks/' } as const;

const LAST_RUN = 'last-run';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Rows of a register by id, or by the name of their stack. */
export interface AgentRows {
  readonly requests: ReadonlyMap<string, RequestRow>;
  readonly runs: ReadonlyMap<string, RunRow>;
  readonly drift: ReadonlyMap<string, DriftRow>;
  readonly stacks: ReadonlyMap<string, StackMarks>;
}

/** Part of a register that a ledger uses. */
export interface LedgerStore extends Pick<Register, 'entries' | 'read' | 'stored'> {
  readonly notices: Pick<Register['notices'], 'add' | 'list' | 'lastTimestamp'>;
  tx(run: (t: Pick<RegisterTx, 'set'>) => void): void;
}

/** Requests, runs and records of stacks, kept in a register. Each method that writes is one transaction. */
export class RunLedger implements AgentRows {
  readonly requests: Map<string, RequestRow>;
  readonly runs: Map<string, RunRow>;
  readonly drift: Map<string, DriftRow>;
  readonly stacks: Map<string, StackMarks>;
  /** Runs that have not ended, those of them that occupy their stack, and requests that have not begun. */
  readonly #open = new Map<string, RunRow>();
  readonly #busy = new Map<string, RunRow>();
  readonly #queued = new Map<string, RequestRow>();
  readonly #changedStacks = new Set<string>();
  #version = 0;
  readonly #register: LedgerStore;
  readonly #now: () => Date;

  constructor(register: LedgerStore, now: () => Date) {
    this.#register = register;
    this.#now = now;
    this.requests = new Map(register.entries(ROWS.requests, isRequestRow));
    this.runs = new Map(register.entries(ROWS.runs, isRunRow));
    this.drift = new Map(register.entries(ROWS.drift, isDriftRow));
    this.stacks = new Map(register.entries(ROWS.stacks, isStackMarks));
    for (const run of this.runs.values()) this.#keepRun(run);
    for (const request of this.requests.values()) this.#keepRequest(request);
  }

  /** Runs that have not ended, in their order. */
  get openRuns(): Iterable<RunRow> {
    return [...this.#open.values()];
  }

  /** Runs that occupy their stack, in the order in which they began to. A pass looks at these only. */
  get busyRuns(): Iterable<RunRow> {
    return [...this.#busy.values()];
  }

  /** Number that every change of a run or a request changes. */
  get version(): number {
    return this.#version;
  }

  /** Requests that have not begun, in their order. */
  get queuedRequests(): Iterable<RequestRow> {
    return [...this.#queued.values()];
  }

  get notices(): LedgerStore['notices'] {
    return this.#register.notices;
  }

  /** Resolves when everything so far is durable. */
  stored(): Promise<void> {
    return this.#register.stored();
  }

  /**
   * Adds a request, or does nothing if its id is known. Requests and runs whose place it takes are marked. Returns
   * false if it joined another one.
   */
  addRequest(row: RequestRow, isPerson: boolean): boolean {
    if (this.requests.has(row.id)) return true;
    const { supersedes, supersedesRuns, joins } = placeRequest(
      row,
      this.queuedRequests,
      this.openRuns,
      isPerson,
    );
    if (joins !== undefined) return false;
    const marked = supersedes.map((id) => ({ ...this.#request(id), supersededBy: row.id }));
    const ended = supersedesRuns.map((id) =>
      this.#moved(this.run(id), 'supersede', { why: [`superseded by request ${row.id}`] }),
    );
    this.#register.tx((t) => {
      for (const request of [...marked, row]) t.set(ROWS.requests + request.id, request);
      for (const run of ended) t.set(ROWS.runs + run.id, run);
    });
    for (const request of [...marked, row]) this.#keepRequest(request);
    for (const run of ended) this.#keepRun(run);
    return true;
  }

  /** Makes a queued request a run. */
  begin(id: string, needed: number): RunRow {
    const request = this.#request(id);
    if (!isQueued(request)) throw new BugError(`request ${id} cannot begin again`);
    const number = (this.#register.read(LAST_RUN, isNumber) ?? 0) + 1;
    const run = runOfRequest(request, { id: String(number), needed, now: this.#now() });
    const begun = { ...request, run: run.id };
    this.#register.tx((t) => {
      t.set(LAST_RUN, number);
      t.set(ROWS.runs + run.id, run);
      t.set(ROWS.requests + id, begun);
    });
    this.#keepRun(run);
    this.#keepRequest(begun);
    return run;
  }

  /** Moves a run by an event, with changed members. Throws BugError if the event cannot happen. */
  move(id: string, event: RunCall, members: Partial<RunRow> = {}): RunRow {
    return this.put(this.#moved(this.run(id), event, members));
  }

  /** Changes members of a run, and not its status. */
  note(id: string, members: Omit<Partial<RunRow>, 'status'>): RunRow {
    return this.put({ ...this.run(id), ...members });
  }

  /** Stores a run as the rules of runs have made it. */
  put(run: RunRow): RunRow {
    this.#register.tx((t) => t.set(ROWS.runs + run.id, run));
    this.#keepRun(run);
    return run;
  }

  run(id: string): RunRow {
    const run = this.runs.get(id);
    if (run === undefined) throw new BugError(`there is no run ${id}`);
    return run;
  }

  stack(name: string): StackMarks {
    return this.stacks.get(name) ?? {};
  }

  setStack(name: string, row: StackMarks): void {
    this.#register.tx((t) => t.set(ROWS.stacks + name, row));
    this.stacks.set(name, row);
    this.#changedStacks.add(name);
  }

  /** Returns the stacks whose marks were set since the last call. */
  takeChangedStacks(): readonly string[] {
    const names = [...this.#changedStacks];
    this.#changedStacks.clear();
    return names;
  }

  setDrift(stack: string, row: DriftRow): void {
    this.#register.tx((t) => t.set(ROWS.drift + stack, row));
    this.drift.set(stack, row);
  }

  /** Deletes rows that are no longer needed. */
  forget(requests: readonly string[], runs: readonly string[]): void {
    this.#register.tx((t) => {
      for (const id of requests) t.set(ROWS.requests + id, null);
      for (const id of runs) t.set(ROWS.runs + id, null);
    });
    this.#version += 1;
    for (const id of requests) {
      this.requests.delete(id);
      this.#queued.delete(id);
    }
    for (const id of runs) {
      this.runs.delete(id);
      this.#open.delete(id);
      this.#busy.delete(id);
    }
  }

  #keepRun(run: RunRow): void {
    this.#version += 1;
    this.runs.set(run.id, run);
    if (hasRunEnded(run.status)) this.#open.delete(run.id);
    else this.#open.set(run.id, run);
    if (occupiesStack(run.status)) this.#busy.set(run.id, run);
    else this.#busy.delete(run.id);
  }

  #keepRequest(request: RequestRow): void {
    this.#version += 1;
    this.requests.set(request.id, request);
    if (isQueued(request)) this.#queued.set(request.id, request);
    else this.#queued.delete(request.id);
  }

  #request(id: string): RequestRow {
    const request = this.requests.get(id);
    if (request === undefined) throw new BugError(`there is no request ${id}`);
    return request;
  }

  #moved(run: RunRow, event: RunCall, members: Partial<RunRow>): RunRow {
    return movedRun(run, event, members, this.#now());
  }
}
