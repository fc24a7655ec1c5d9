import type { Status } from '@cairn/changes';
import type { NoticeJson } from '../notices/notice.js';
import type { Micros } from '../notices/instant.js';
import type { WarningJson } from '../notices/warnings.js';
import type { PatchLevel } from './patches.js';
import type { RegisterDocument } from './register-document.js';

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
 * Place where a register is stored. A store may keep a log of the writes, or a row for each part: a write names only
 * the parts that have changed.
 */
export interface RegisterStore {
  /** Returns everything stored, or `undefined` if there is nothing yet. */
  read(): Promise<RegisterDocument | undefined>;
  /** Stores the changed parts, all of them or none. They are durable when the promise resolves. */
  write(changes: RegisterChanges): Promise<void>;
  /** Replaces everything, after a patch of an older register. */
  replace(document: RegisterDocument): Promise<void>;
}
