import type { DataMap, Status } from '@cairn/changes';
import { noticeName } from '../notices/notice.js';
import type { NoticeJson } from '../notices/notice.js';
import type { Micros } from '../notices/instant.js';
import type { WarningJson } from '../notices/warnings.js';
import type { PatchLevel } from './patches.js';
import type { RegisterDocument } from './register-document.js';
import { decodeRegister, encodeRegister, newRegisterDocument } from './register-document.js';

/** Part of a register that every write contains. */
export interface RegisterHead {
  readonly patch: PatchLevel;
  readonly started: string;
  readonly lastChange: number;
  readonly lastNotice: number;
  /** Time of the last notice; every later one has a later time. */
  readonly lastTimestamp: Micros;
}

/** Parts of a register that have changed since the last write, by name. `null` deletes a part. */
export interface RegisterChanges {
  readonly head: RegisterHead;
  /** Data by key. */
  readonly data: ReadonlyMap<string, unknown>;
  /** Status that the notice of a change last reported, by the id of the change. */
  readonly changes: ReadonlyMap<string, Status | 'new' | null>;
  /** Notices by `noticeName`. */
  readonly notices: ReadonlyMap<string, NoticeJson | null>;
  /** Warnings by message. */
  readonly warnings: ReadonlyMap<string, WarningJson | null>;
}

/**
 * Place where a register is stored. A store may keep one document, or a row for each part: a write names only the parts
 * that have changed.
 */
export interface RegisterStore {
  /** Returns everything stored, or `undefined` if there is nothing yet. */
  read(): Promise<RegisterDocument | undefined>;
  /** Stores the changed parts, all of them or none. They are durable when the promise resolves. */
  write(changes: RegisterChanges): Promise<void>;
  /** Replaces everything, after a patch of an older register. */
  replace(document: RegisterDocument): Promise<void>;
}

/** Place of one small document. It is written as a whole, all of it or nothing. */
export interface DocumentStore {
  /** Returns the document, or `undefined` if there is none yet. */
  read(): Promise<Uint8Array | undefined>;
  /** Writes the document; it is durable when the promise resolves. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Returns a store that keeps a register as one document, for a register with one process at a time. */
export function documentRegisterStore(store: DocumentStore): RegisterStore {
  let stored: RegisterDocument | undefined;
  const replace = async (document: RegisterDocument): Promise<void> => {
    await store.write(encodeRegister(document));
    stored = document;
  };
  return {
    async read() {
      const bytes = await store.read();
      stored = bytes === undefined ? undefined : decodeRegister(bytes);
      return stored;
    },
    write: (changes) =>
      replace(withRegisterChanges(stored ?? newRegisterDocument(changes.head.patch, new Date(0)), changes)),
    replace,
  };
}

/** Returns the register with its changed parts. */
export function withRegisterChanges(
  document: RegisterDocument,
  { head, data, changes, notices, warnings }: RegisterChanges,
): RegisterDocument {
  const told = new Map(document.changes.map((change) => [change.id, change.told]));
  const listed = new Map(
    document.notices.notices.map((notice) => [noticeName(notice.owner, notice.type, notice.key), notice]),
  );
  const warned = new Map(document.warnings.map((warning) => [warning.message, warning]));
  return {
    patch: head.patch,
    started: head.started,
    lastChange: head.lastChange,
    data: Object.fromEntries(withParts(new Map(Object.entries(document.data)), data)) as DataMap,
    changes: [...withParts(told, changes)].map(([id, status]) => ({ id, told: status })),
    notices: {
      notices: [...withParts(listed, notices).values()],
      lastId: head.lastNotice,
      lastTimestamp: head.lastTimestamp,
    },
    warnings: [...withParts(warned, warnings).values()],
  };
}

/** Sets and deletes parts of `all`. */
function withParts<T>(all: Map<string, T>, parts: ReadonlyMap<string, T | null>): Map<string, T> {
  for (const [name, part] of parts) {
    if (part === null) all.delete(name);
    else all.set(name, part);
  }
  return all;
}
