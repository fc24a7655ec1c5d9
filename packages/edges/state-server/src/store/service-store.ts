import type {
  HistoryRow,
  RecordedUpdate,
  StackId,
  StoredStackSummary,
  NotedState,
  StateText,
  StackTags,
} from '@cairn/backends';
import type { ConfigPlaceMessage } from '@cairn/http-api';
import type { EditKey, WrappedKey } from '../crypto/stack-keys.js';
import type { Admit, FoundUpdate } from '../domain/admission.js';
import type { BatchItems } from '../domain/batch-acceptance.js';
import type { LiveFold } from '../domain/live-fold.js';
import type { LostState } from '../domain/lost-state.js';
import type { UpdateRecord } from '../domain/update-record.js';
import type { AccessStore } from './access-store.js';
import type { AttemptStore } from './attempt-store.js';
import type { AuditStore } from './audit-store.js';
import type { TerraformStore } from './terraform-store.js';
import type { TokenStore } from './token-store.js';
import type { DeliveryStore } from './delivery-store.js';
import type { DeploymentStore } from './deployment-store.js';
import type { ServedChangeStore } from './change-store.js';
import type { QueueStore } from './queue-store.js';

/** Holder of a stack besides the updates of the service. The time is in seconds since 1970. */
export interface OtherHolder {
  readonly by: string;
  readonly since: number;
  /** Reason of a person. */
  readonly reason?: string | undefined;
}

/** Facts about a stack that the service adds to those of the bucket. */
export interface StackRecord {
  /** Immutable, also when the stack is renamed. Ciphertexts are bound to it. */
  readonly id: string;
  readonly key: WrappedKey;
  /** Newest update that is not a preview. */
  readonly latest?: string;
  /** Place of its configuration, if that is no file of its project. */
  readonly config?: ConfigPlaceMessage | undefined;
  /** Set once the store was found to have lost something of the stack. */
  readonly lost?: LostState | undefined;
  /** State that was stored last, in a store that has it in one place for both tools. */
  readonly stored?: NotedState;
}

/** Stacks to find. A tag without a value matches with any. */
export interface StackQuery {
  readonly organization: string;
  readonly project: string | undefined;
  readonly tag: { readonly name: string; readonly value: string | undefined } | undefined;
}

/** Stack with its tags, as far as they are known. */
export interface TaggedStack {
  readonly stack: StackId;
  readonly tags: StackTags | undefined;
}

/** Facts about a stack in a list. One that is gone has none. */
export interface StackOverview {
  readonly lastUpdate: string | undefined;
  readonly resources: number | undefined;
  readonly running: boolean;
  readonly lost: LostState | undefined;
}

/** Facts about a stack in the list of the console. */
export interface ListedOverview extends StackOverview {
  /** Newest version of the history. */
  readonly last: HistoryRow | undefined;
  /** Steps that the newest change left in doubt. */
  readonly inDoubt: number;
  /** Pending operations of the state: those of other clients are steps of no change. */
  readonly pending: number;
  /** Steps of the newest change that wait for an approval. */
  readonly approvals: number;
  /** Newest preview of a refresh of the newest version that ended well. */
  readonly looked: UpdateRecord | undefined;
  /** Places in the queue of the stack. */
  readonly waiting: number;
}

/** Rules about what a store keeps, in milliseconds. Without a time, everything of the kind stays. */
export interface CleaningRules {
  /** Time for which events of updates that ended are kept, and previews that ended. */
  readonly eventsMs: number | undefined;
  /** Time for which states of versions are kept, from the beginning of their updates. That of the newest one stays. */
  readonly statesMs: number | undefined;
  readonly now: () => Date;
}

/** Figures of a store for metrics. */
interface StoreFigures {
  /** Updates that hold a lease. */
  readonly running: number;
  /** Connections to a database, by pool. */
  readonly pools: readonly PoolFigures[];
}

/** Connections of one pool. `waiting` is the number of calls that wait for one. */
export interface PoolFigures {
  readonly pool: string;
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Work that holds the lock of a stack, noted before the lock is taken, so that a restart finds it. */
export interface RunningNote extends StackId {
  readonly stackId: string;
  /** Id of the update, which is also the id of the lock. */
  readonly id: string;
}

/** Batch of events as it came, with the counts of its summary, if it has one. */
export interface EventBatch {
  readonly bytes: Uint8Array;
  readonly resourceChanges: Readonly<Record<string, number>> | undefined;
}

/** Update that a call names. */
export interface UpdateName {
  readonly stack: StackId;
  readonly id: string;
}

/** Update that is running, with its stack. */
export interface RunningUpdate {
  readonly stack: StackId;
  readonly record: UpdateRecord;
}

/** Notes of locks, for stores whose locks survive the process that dies between two writes. */
interface RunningNotes {
  list(): Promise<readonly RunningNote[]>;
  put(note: RunningNote): Promise<void>;
  remove(id: string): Promise<void>;
  /** Takes up an update that ran when the process before this one ended, with a new lease. */
  adopt(update: RunningUpdate): Promise<void>;
}

/** Part of the previews of a stack that started from one version. Without `size`, all of them. */
export interface PreviewPage {
  readonly version: number;
  readonly size?: number | undefined;
  /** From 1. */
  readonly page: number;
  readonly oldestFirst: boolean;
}

/** Previews of a page, and how many there are on all pages. */
export interface FoundPreviews {
  readonly previews: readonly UpdateRecord[];
  readonly total: number;
}

/** Updates with their bases, journals and events. */
export interface UpdateStore {
  /** Returns an update of a stack. In a turn, nothing about it changes until the turn ends. */
  findUpdate(update: UpdateName): Promise<FoundUpdate | undefined>;
  /** Returns the update that runs on a stack and is not a preview. */
  runningUpdate(stack: StackId): Promise<FoundUpdate | undefined>;
  putUpdateRecord(stack: StackId, record: UpdateRecord): Promise<void>;
  /**
   * Sets the end of the lease of an update, by the clock of the store, to `ms` milliseconds from now. Resolves with the
   * time of that clock, in milliseconds since 1970.
   */
  extendLease(record: UpdateRecord, ms: number): Promise<number>;
  /** State that an update began with, as its export was. */
  base(record: UpdateRecord): Promise<StateText>;
  putBase(record: UpdateRecord, base: StateText): Promise<void>;
  /** Returns the texts of the entries of a journal. */
  journal(record: UpdateRecord): Promise<readonly string[]>;
  /** Returns the state of a running update that was folded while its entries came, if this process has it. */
  readonly readFold?: (record: UpdateRecord) => Promise<LiveFold | undefined>;
  /** Returns the batches of events, oldest first. */
  events(record: UpdateRecord): Promise<readonly Buffer[]>;
  /** Waits for everything that is being stored about an update that ends, and packs its events. */
  closeLogs(record: UpdateRecord): Promise<void>;
  /** Returns previews that were started, in the order of their starts or against it. */
  findPreviews(stackId: string, page: PreviewPage): Promise<FoundPreviews>;
  readonly notes?: RunningNotes;
}

/** Stacks and their updates, as work on them sees them. Failures are `CairnError`s, as those of backends. */
export interface StackStore
  extends UpdateStore, ServedChangeStore, QueueStore, DeliveryStore, DeploymentStore {
  /** States of Terraform. Their turns are those of the stacks of the same names. */
  readonly terraform: TerraformStore;
  /** Lists the stacks of an organization. */
  listStacks(of: {
    readonly organization: string;
    readonly project?: string | undefined;
  }): Promise<readonly StackId[]>;
  /**
   * Lists the stacks of an organization that have a tag, with all their tags, where the store answers for many at once.
   */
  readonly findStacks?: (of: StackQuery) => Promise<readonly TaggedStack[]>;
  summary(stack: StackId): Promise<StoredStackSummary>;
  /** Returns what a list shows of stacks, in their order, where the store answers for many at once. */
  readonly overviews?: (stacks: readonly StackId[]) => Promise<readonly StackOverview[]>;
  /** Returns what the console lists of stacks, in their order, where the store answers for many at once. */
  readonly listedStacks?: (stacks: readonly StackId[]) => Promise<readonly ListedOverview[]>;
  stackExists(stack: StackId): Promise<boolean>;
  createStack(stack: StackId): Promise<void>;
  removeStack(stack: StackId, force: boolean): Promise<void>;
  renameStack(from: StackId, to: StackId, rewrite: (state: StateText) => StateText): Promise<void>;
  tags(stack: StackId): Promise<StackTags>;
  setTags(stack: StackId, tags: StackTags): Promise<void>;
  stackRecord(stack: StackId): Promise<StackRecord | undefined>;
  /**
   * Notes that the record of a stack was found to be damaged `now`, unless that is noted. Returns the time that is
   * noted. Times are in seconds since 1970. For stores whose records others can alter.
   */
  noteDamage?(stack: StackId, now: number): Promise<{ readonly at: number; readonly isNew: boolean }>;
  /** Stores a record. The data key of a record with the same id stays: {@link StackStore.editStackKey} changes it. */
  putStackRecord(stack: StackId, record: StackRecord): Promise<void>;
  /**
   * Replaces the wrapped data key of a stack, unless `edit` returns undefined. Returns true if it was replaced. Works
   * beside other processes of the service.
   */
  editStackKey(stack: StackId, edit: EditKey): Promise<boolean>;
  removeStackRecord(stack: StackId): Promise<void>;

  readState(stack: StackId): Promise<StateText>;
  readStateAfter(stack: StackId, version: number): Promise<StateText>;
  /** Locks a stack for both tools. Fails with `CAIRN-STATE-LOCKED`. */
  lock(stack: StackId, lockId: string, reason: string): Promise<void>;
  unlock(stack: StackId, lockId: string): Promise<void>;
  /** Returns the holder of a stack on which no update runs: a tool that works on the bucket itself, or a person. */
  otherHolder(stack: StackId): Promise<OtherHolder | undefined>;
  /**
   * Replaces the state under the lock, and records the update that led to it. May be repeated. Resolves with what the
   * record of the stack has to note of it, in a store that has the state in one place for both tools.
   */
  storeState(
    stack: StackId,
    lockId: string,
    state: StateText,
    update?: RecordedUpdate,
  ): Promise<NotedState | undefined>;
  /** Records an update of the past whose state is not known, under the lock. May be repeated. */
  recordUpdate(stack: StackId, update: RecordedUpdate): Promise<void>;
  /** Returns a place in the history for an update that begins now, behind all that are there. */
  stamp(stack: StackId): Promise<string>;
  history(
    stack: StackId,
    page: { readonly size?: number; readonly page?: number },
  ): Promise<readonly HistoryRow[]>;
}

/** Signals between the processes that serve one store. They say only that something is new, and may get lost. */
export interface StoreSignals {
  /** Calls back when another process has sent a signal, and when one may have been lost. Called once. */
  hear(listener: () => void): void;
  /** Sends a signal to the other processes. */
  send(): void;
}

/**
 * Everything that the service keeps. Every write is durable when it resolves. Rules come from the callers as pure
 * functions; the store runs them on what it has locked.
 */
export interface ServiceStore extends StackStore, AccessStore, AttemptStore, AuditStore, TokenStore {
  /** Fails if the store does not answer, or belongs to another process now. */
  ping(): Promise<void>;
  figures(): Promise<StoreFigures>;
  /**
   * Makes the store that of this process, where one process at a time may serve it, and keeps it until it is closed.
   * Fails with `CAIRN-STORE-CONFLICT` while another process serves it.
   */
  readonly hold?: (failed: (what: string, thrown: unknown) => void) => Promise<void>;
  /**
   * Runs work alone on stacks: no other turn of one of them runs at the same time, in any process, and no write of one
   * of their updates comes between. In a store with transactions the turn is one: it is stored whole, or not at all,
   * and may run again. Other work must be repeatable.
   */
  turn<T>(stacks: readonly StackId[], work: (store: StackStore) => Promise<T>): Promise<T>;
  /** Stores a journal batch that the rules accept. All of it is durable when this resolves. */
  appendEntries(update: UpdateName, admit: Admit, items: BatchItems): Promise<void>;
  /** Stores a batch of events. It is durable when this resolves. */
  appendEvents(update: UpdateName, admit: Admit, batch: EventBatch): Promise<void>;
  /** Returns updates whose lease has expired and that nothing is ending. */
  lapsedUpdates(): Promise<readonly RunningUpdate[]>;
  /** Removes what is not needed any more. */
  clean(rules: CleaningRules): Promise<void>;
  /** Signals of the processes, where several may serve the store. */
  readonly signals?: StoreSignals;
  /** Waits for everything that is being stored. */
  close(): Promise<void>;
}
