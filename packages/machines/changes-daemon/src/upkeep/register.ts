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
  withDataEntry,
} from '@cairn/changes';
import type {
  ChangeMachine,
  ChangeStore,
  Clock,
  DataMap,
  MachineOptions,
  NewChange,
  PruneLimits,
  Status,
} from '@cairn/changes';
import { BugError } from '@cairn/diagnostics';
import { keepChangeNotice } from '../notices/change-notices.js';
import { noticeKey } from '../notices/notice.js';
import { Notices } from '../notices/notices.js';
import { Warnings } from '../notices/warnings.js';
import type { DocumentStore, WriteSchedule } from './document-writer.js';
import { DocumentWriter } from './document-writer.js';
import type { PatchLevel, Patches } from './patches.js';
import { applyPatches, highestLevel } from './patches.js';
import type { RegisterDocument } from './register-document.js';
import { decodeRegister, encodeRegister, newRegisterDocument } from './register-document.js';

/** Ports and options of a register. */
export interface RegisterPorts {
  /** The register's own document; its changes have logs of their own. */
  readonly document: DocumentStore;
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
  const bytes = await ports.document.read();
  if (bytes === undefined)
    return new Register(ports, clock, newRegisterDocument(highestLevel(patches), clock.now()), [], true);
  const stored = decodeRegister(bytes);
  const { document, at } = await applyPatches(stored, stored.patch, patches, (patched, level) =>
    ports.document.write(encodeRegister({ ...patched, patch: level })),
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
  readonly #writer: DocumentWriter;
  readonly #patch: PatchLevel;
  readonly #started: string;
  #data: DataMap;
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
    this.#data = document.data;
    this.#lastChange = document.lastChange;
    this.#writer = new DocumentWriter(ports.document, clock, () => this.#encode(), isNew, ports.patience);
    this.notices = new Notices(clock, document.notices);
    this.warnings = new Warnings(clock, document.warnings);
    this.notices.onChanged = () => this.#altered();
    this.warnings.onChanged = () => this.#altered();
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
    let data = this.#data;
    const open = (): void => {
      if (over) throw new BugError('the transaction is over');
    };
    try {
      const result = run({
        set: (key, value) => {
          open();
          data = withDataEntry(data, key, toStored(key, value));
        },
        open: (change) => {
          open();
          return this.#open(change);
        },
      });
      if (data !== this.#data) this.#writer.touch();
      this.#data = data;
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
      this.#altered();
    }
    this.notices.expire();
    this.warnings.expire();
  }

  /** True if every finished change is clean. */
  get allClean(): boolean {
    return [...this.#machines.values()].every(({ change }) => !change.isReady || change.clean);
  }

  #open(change: Omit<NewChange, 'id'>): ChangeMachine {
    const id = String(this.#lastChange + 1);
    const machine = openChange(
      { ...change, id },
      { ...this.#ports.machine, clock: this.#clock, store: this.#ports.logs(id) },
    );
    this.#lastChange += 1;
    this.#adopt(machine, undefined);
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

  #encode(): Uint8Array {
    return encodeRegister({
      patch: this.#patch,
      started: this.#started,
      data: this.#data,
      lastChange: this.#lastChange,
      changes: [...this.#told].map(([id, told]) => ({ id, told: told() })),
      notices: this.notices.toJson(),
      warnings: this.warnings.toJson(),
    });
  }
}
