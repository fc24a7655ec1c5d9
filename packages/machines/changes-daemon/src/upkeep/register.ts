import {
  hasEntry,
  loadChange,
  openChange,
  planPrune,
  PRUNE_LIMITS,
  pruneCandidate,
  readDataEntry,
  requireEntry,
  systemClock,
  toStored,
  unreadyLanes,
} from '@cairn/changes';
import type {
  ChangeMachine,
  ChangeStore,
  Clock,
  MachineOptions,
  NewChange,
  PruneLimits,
  Status,
} from '@cairn/changes';
import { BugError } from '@cairn/diagnostics';
import { keepChangeNotice } from '../notices/change-notices.js';
import { noticeKey, noticeName, noticeToJson } from '../notices/notice.js';
import { Notices } from '../notices/notices.js';
import { Warnings, warningToJson } from '../notices/warnings.js';
import type { WriteSchedule } from './retried-writer.js';
import { RetriedWriter } from './retried-writer.js';
import type { PatchLevel, Patches } from './patches.js';
import { applyPatches, highestLevel } from './patches.js';
import type { RegisterDocument } from './register-document.js';
import { newRegisterDocument } from './register-document.js';
import type { RegisterChanges, RegisterStore } from './register-store.js';

/** Ports and options of a register. */
export interface RegisterPorts {
  /** The register's own parts; its changes have logs of their own. */
  readonly store: RegisterStore;
  readonly logs: (changeId: string) => ChangeStore;
  /** Moves the log of a pruned change to an archive. */
  readonly archive: (changeId: string) => Promise<void>;
  readonly machine: Omit<MachineOptions, 'store' | 'clock'>;
  readonly clock?: Clock;
  readonly patience?: WriteSchedule;
  /** Patches that bring older documents forward. Defaults to none. */
  readonly patches?: Patches<RegisterDocument>;
  /** Tells, by kind, if a change may still begin although it has been idle for long. Defaults to no. */
  readonly stillPending?: (kind: string) => boolean;
}

/** Operations within a transaction of the register. */
export interface RegisterTx {
  /** Sets one key of the register's data; null removes it. */
  set(key: string, value: unknown): void;
  /** Begins a change with the next id. */
  open(change: Omit<NewChange, 'id'>): ChangeMachine;
}

/** Opens the register with its changes, or begins a new one. */
export async function openRegister(ports: RegisterPorts): Promise<Register> {
  const clock = ports.clock ?? systemClock;
  const patches = ports.patches ?? new Map();
  const stored = await ports.store.read();
  if (stored === undefined)
    return new Register(ports, clock, newRegisterDocument(highestLevel(patches), clock.now()), [], true);
  const { document, at } = await applyPatches(stored, stored.patch, patches, (patched, level) =>
    ports.store.replace({ ...patched, patch: level }),
  );
  const machines: ChangeMachine[] = [];
  for (const id of document.changes.map((change) => change.id)) {
    const machine = await loadChange({ ...ports.machine, clock, store: ports.logs(id) });
    if (machine !== undefined) machines.push(machine);
  }
  return new Register(ports, clock, { ...document, patch: at }, machines, false);
}

/**
 * Record that a process keeps of a scope: its changes by id, their notices, warnings, and data of its own [CHG-1].
 * Writes are synchronous transactions, each stored as a whole; reads are free.
 */
export class Register {
  readonly notices: Notices;
  readonly warnings: Warnings;
  readonly #machines = new Map<string, ChangeMachine>();
  readonly #told = new Map<string, () => Status | 'new'>();
  readonly #writer: RetriedWriter;
  /** Names of the parts that the next write contains. */
  readonly #dirty = {
    data: new Set<string>(),
    changes: new Set<string>(),
    notices: new Set<string>(),
    warnings: new Set<string>(),
  };
  readonly #patch: PatchLevel;
  readonly #started: string;
  readonly #data: Record<string, unknown>;
  #lastChange: number;
  readonly #ports: RegisterPorts;
  readonly #clock: Clock;

  /** Use {@link openRegister}. */
  constructor(
    ports: RegisterPorts,
    clock: Clock,
    document: RegisterDocument,
    machines: readonly ChangeMachine[],
    isNew: boolean,
  ) {
    this.#ports = ports;
    this.#clock = clock;
    this.#patch = document.patch;
    this.#started = document.started;
    this.#data = { ...document.data };
    this.#lastChange = document.lastChange;
    this.#writer = new RetriedWriter(() => this.#takeChanges(), clock, isNew, ports.patience);
    this.notices = new Notices(clock, document.notices);
    this.warnings = new Warnings(clock, document.warnings);
    this.#forgetExpired(document);
    this.notices.onChanged = (changed) => {
      for (const { owner, type, key } of changed) {
        this.#dirty.notices.add(noticeName(owner, type, key));
        if (type === 'change-update') this.#dirty.changes.add(key);
      }
      this.#altered();
    };
    this.warnings.onChanged = (messages) => {
      for (const message of messages) this.#dirty.warnings.add(message);
      this.#altered();
    };
    this.warnings.onAdded = ({ message, repeatAfterMs }) =>
      this.notices.add('warning', noticeKey(message), { repeatAfterMs });
    for (const machine of machines) {
      const told = document.changes.find((change) => change.id === machine.change.id)?.told;
      this.#adopt(machine, told);
    }
  }

  /** Every change that has not been pruned, in the order of their ids. */
  get changes(): ReadonlyMap<string, ChangeMachine> {
    return this.#machines;
  }

  /** Level to which the stored document has been brought. */
  get patch(): PatchLevel {
    return this.#patch;
  }

  /** True if a part has not been stored yet. */
  get modified(): boolean {
    return this.#writer.modified;
  }

  has(key: string): boolean {
    return hasEntry(this.#data, key);
  }

  read<T>(key: string, check: (value: unknown) => value is T): T | undefined {
    return readDataEntry(this.#data, key, check);
  }

  /** Returns the data whose keys begin with a text, by the rest of the key, in the order in which they were set. */
  entries<T>(prefix: string, check: (value: unknown) => value is T): ReadonlyMap<string, T> {
    const found = new Map<string, T>();
    for (const key of Object.keys(this.#data)) {
      const value = key.startsWith(prefix) ? readDataEntry(this.#data, key, check) : undefined;
      if (value !== undefined) found.set(key.slice(prefix.length), value);
    }
    return found;
  }

  require<T>(key: string, check: (value: unknown) => value is T): T {
    return requireEntry(this.#data, key, check);
  }

  /**
   * Changes the register. `run` must not await: later requests are refused. If it throws, only the changes that it
   * began remain. The result is stored afterwards: await {@link stored}.
   */
  tx<R>(run: (t: RegisterTx) => R): R {
    this.#writer.refuseWhenBroken();
    let over = false;
    const sets = new Map<string, unknown>();
    const open = (): void => {
      if (over) throw new BugError('the transaction is over');
    };
    try {
      const result = run({
        set: (key, value) => {
          open();
          sets.set(key, toStored(key, value));
        },
        open: (change) => {
          open();
          return this.#open(change);
        },
      });
      this.#setData(sets);
      this.#store();
      return result;
    } finally {
      over = true;
    }
  }

  /** Resolves when everything so far is stored; rejects when that has become impossible. */
  stored(): Promise<void> {
    return this.#writer.checkpoint();
  }

  /** Aborts, drops and archives old changes, and deletes expired notices and warnings [CHG-20]. */
  async prune(limits: PruneLimits = PRUNE_LIMITS): Promise<void> {
    const candidates = [...this.#machines.values()].map(({ change }) =>
      pruneCandidate(change, this.#ports.stillPending?.(change.kind)),
    );
    const now = this.#clock.now().getTime();
    const plan = planPrune(candidates, now, limits, Date.parse(this.#started));
    for (const id of plan.abort) this.#abortUnready(id);
    for (const id of [...plan.drop, ...plan.archive]) {
      await this.#ports.archive(id);
      this.#machines.delete(id);
      this.#told.delete(id);
      this.#dirty.changes.add(id);
      this.#altered();
    }
    this.notices.expire();
    this.warnings.expire();
  }

  /** True if every finished change is clean. */
  get allClean(): boolean {
    return [...this.#machines.values()].every(({ change }) => !change.isReady || change.clean);
  }

  #setData(sets: ReadonlyMap<string, unknown>): void {
    if (sets.size === 0) return;
    for (const [key, value] of sets) {
      if (value === null) delete this.#data[key];
      else this.#data[key] = value;
      this.#dirty.data.add(key);
    }
    this.#writer.touch();
  }

  /** Has the next write delete what expired while the register was closed. */
  #forgetExpired({ notices, warnings }: RegisterDocument): void {
    for (const { owner, type, key } of notices.notices) {
      const name = noticeName(owner, type, key);
      if (this.notices.get(name) === undefined) this.#dirty.notices.add(name);
    }
    for (const { message } of warnings)
      if (this.warnings.get(message) === undefined) this.#dirty.warnings.add(message);
  }

  #open(change: Omit<NewChange, 'id'>): ChangeMachine {
    const id = String(this.#lastChange + 1);
    const machine = openChange(
      { ...change, id },
      { ...this.#ports.machine, clock: this.#clock, store: this.#ports.logs(id) },
    );
    this.#lastChange += 1;
    this.#adopt(machine, undefined);
    this.#dirty.changes.add(id);
    this.#writer.touch();
    return machine;
  }

  #adopt(machine: ChangeMachine, told: Status | 'new' | undefined): void {
    this.#machines.set(machine.change.id, machine);
    this.#told.set(machine.change.id, keepChangeNotice(machine, this.notices, told));
  }

  #abortUnready(id: string): void {
    const machine = this.#machines.get(id);
    machine?.abort(unreadyLanes(machine.change.tasks.values()));
  }

  #altered(): void {
    this.#writer.touch();
    this.#store();
  }

  /** Stores in the background; callers that need the outcome await {@link stored}. */
  #store(): void {
    this.#writer.checkpoint().catch(() => undefined);
  }

  /** Returns a write of the parts that have changed since the last call. */
  #takeChanges(): () => Promise<void> {
    const { data, changes, notices, warnings } = this.#dirty;
    const { lastId, lastTimestamp } = this.notices;
    const taken: RegisterChanges = {
      head: {
        patch: this.#patch,
        started: this.#started,
        lastChange: this.#lastChange,
        lastNotice: lastId,
        lastTimestamp,
      },
      data: takeParts(data, (key) => this.#data[key]),
      changes: takeParts(changes, (id) => this.#told.get(id)?.()),
      notices: takeParts(notices, (name) => {
        const notice = this.notices.get(name);
        return notice === undefined ? undefined : noticeToJson(notice);
      }),
      warnings: takeParts(warnings, (message) => {
        const warning = this.warnings.get(message);
        return warning === undefined ? undefined : warningToJson(warning);
      }),
    };
    return () => this.#ports.store.write(taken);
  }
}

/** Returns the named parts, `null` for one that has been deleted, and empties the names. */
function takeParts<T>(
  names: Set<string>,
  part: (name: string) => T | undefined,
): ReadonlyMap<string, T | null> {
  const parts = new Map([...names].map((name) => [name, part(name) ?? null]));
  names.clear();
  return parts;
}
