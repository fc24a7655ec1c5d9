import type {
  HistoryRow,
  RecordedUpdate,
  StackId,
  StackSummary,
  StateDocument,
  StackTags,
} from '@cairn/backends';
import type { WrappedKey } from '../crypto/stack-keys.js';
import type { Role } from '../domain/roles.js';
import type { UpdateRecord } from '../domain/update-record.js';

/** Token of a user. `createdAt` is in seconds since 1970. */
export interface TokenRecord {
  /** SHA-256 of the token, in hex. */
  readonly hash: string;
  readonly user: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: number;
}

/** Facts about a stack that the service adds to those of the bucket. */
export interface StackRecord {
  /** Immutable, also when the stack is renamed. Ciphertexts are bound to it. */
  readonly id: string;
  readonly key: WrappedKey;
  /** Newest update that is no preview. */
  readonly latest?: string;
}

/** Work that holds the lock of a stack, noted before the lock is taken, so that a restart finds it. */
export interface RunningNote extends StackId {
  readonly stackId: string;
  /** Id of the update, which is also the id of the lock. */
  readonly id: string;
}

/** Appends pieces of bytes. A piece is read back whole or not at all. */
export interface PieceLog {
  /** Resolves when the piece is durable. */
  append(piece: Uint8Array): Promise<void>;
  /** Waits for appends under way. */
  close(): Promise<void>;
}

/** Log of an update: its journal batches, or its batches of events. */
export type LogName = 'journal' | 'events';

/**
 * Everything that the service keeps. Every write is durable when it resolves. One process uses a store at a time.
 * Failures are `CairnError`s, as those of backends.
 */
export interface ServiceStore {
  /** Fails if the store does not answer. */
  ping(): Promise<void>;
  findToken(hash: string): Promise<TokenRecord | undefined>;
  putToken(token: TokenRecord): Promise<void>;
  listTokens(): Promise<readonly TokenRecord[]>;
  removeToken(hash: string): Promise<void>;

  listStacks(project?: string): Promise<readonly StackId[]>;
  summary(stack: StackId): Promise<StackSummary>;
  stackExists(stack: StackId): Promise<boolean>;
  createStack(stack: StackId): Promise<void>;
  removeStack(stack: StackId, force: boolean): Promise<void>;
  renameStack(from: StackId, to: StackId, rewrite: (state: StateDocument) => StateDocument): Promise<void>;
  tags(stack: StackId): Promise<StackTags>;
  setTags(stack: StackId, tags: StackTags): Promise<void>;
  stackRecord(stack: StackId): Promise<StackRecord | undefined>;
  putStackRecord(stack: StackId, record: StackRecord): Promise<void>;
  removeStackRecord(stack: StackId): Promise<void>;

  readState(stack: StackId): Promise<StateDocument>;
  readStateAfter(stack: StackId, version: number): Promise<StateDocument>;
  /** Locks a stack for both tools. Fails with `CAIRN-STATE-LOCKED`. */
  lock(stack: StackId, lockId: string, reason: string): Promise<void>;
  unlock(stack: StackId, lockId: string): Promise<void>;
  /** Replaces the state under the lock, and records the update that led to it. May be repeated. */
  storeState(stack: StackId, lockId: string, state: StateDocument, update?: RecordedUpdate): Promise<void>;
  /** Returns a place in the history for an update that begins now. */
  stamp(): string;
  history(
    stack: StackId,
    page: { readonly size?: number; readonly page?: number },
  ): Promise<readonly HistoryRow[]>;

  updateRecord(stackId: string, id: string): Promise<UpdateRecord | undefined>;
  putUpdateRecord(record: UpdateRecord): Promise<void>;
  /** State that an update began with, as its export was. */
  base(stackId: string, id: string): Promise<StateDocument>;
  putBase(stackId: string, id: string, base: StateDocument): Promise<void>;
  /** Opens a log for appending. A process that had it open before cannot append any more. */
  openLog(stackId: string, id: string, name: LogName): Promise<PieceLog>;
  readLog(stackId: string, id: string, name: LogName): Promise<readonly Buffer[]>;
  runningNotes(): Promise<readonly RunningNote[]>;
  putRunningNote(note: RunningNote): Promise<void>;
  removeRunningNote(id: string): Promise<void>;
  close(): Promise<void>;
}
