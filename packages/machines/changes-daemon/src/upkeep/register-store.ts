import type { Status } from '@cairn/changes';
import { noticeName } from '../notices/notice.js';
import type { NoticeJson } from '../notices/notice.js';
import type { Micros } from '../notices/instant.js';
import type { WarningJson } from '../notices/warnings.js';
import type { PatchLevel } from './patches.js';
import type { RegisterDocument } from './register-document.js';
import { decodeRegister } from './register-document.js';

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

/**
 * Returns a store that keeps a register as one document, for a register with one process at a time. A write encodes
 * only what has changed, but it writes the whole document.
 */
export function documentRegisterStore(store: DocumentStore): RegisterStore {
  let encoded = new EncodedRegister();
  return {
    async read() {
      const bytes = await store.read();
      if (bytes === undefined) return undefined;
      const document = decodeRegister(bytes);
      encoded = new EncodedRegister(document);
      return document;
    },
    write(changes) {
      encoded.take(changes);
      return store.write(encoded.bytes());
    },
    replace(document) {
      encoded = new EncodedRegister(document);
      return store.write(encoded.bytes());
    },
  };
}

/** Parts of a register as JSON, each under its name. */
type Parts = Map<string, string>;

/** A register whose parts are encoded. */
class EncodedRegister {
  #head: RegisterHead | undefined;
  readonly #data: Parts = new Map();
  readonly #changes: Parts = new Map();
  readonly #notices: Parts = new Map();
  readonly #warnings: Parts = new Map();

  constructor(document?: RegisterDocument) {
    if (document === undefined) return;
    const { patch, started, lastChange, notices, warnings } = document;
    this.take({
      head: {
        ...{ patch, started, lastChange },
        ...{ lastNotice: notices.lastId, lastTimestamp: notices.lastTimestamp },
      },
      data: new Map(Object.entries(document.data)),
      changes: new Map(document.changes.map(({ id, told }) => [id, told])),
      notices: new Map(
        notices.notices.map((notice) => [noticeName(notice.owner, notice.type, notice.key), notice]),
      ),
      warnings: new Map(warnings.map((warning) => [warning.message, warning])),
    });
  }

  /** Encodes changed parts. Taking them once more changes nothing. */
  take({ head, data, changes, notices, warnings }: RegisterChanges): void {
    this.#head = head;
    setParts(this.#data, data, (value, key) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    setParts(this.#changes, changes, (told, id) => JSON.stringify({ id, told }));
    setParts(this.#notices, notices, (notice) => JSON.stringify(notice));
    setParts(this.#warnings, warnings, (warning) => JSON.stringify(warning));
  }

  /** Returns the document: JSON with a line for each part. There must have been changes. */
  bytes(): Uint8Array {
    const { patch, started, lastChange, lastNotice, lastTimestamp } = this.#head as RegisterHead;
    const members = [
      `"patch": ${JSON.stringify(patch)}`,
      `"started": ${JSON.stringify(started)}`,
      `"lastChange": ${lastChange}`,
      `"data": {${linesOf(this.#data)}}`,
      `"changes": [${linesOf(this.#changes)}]`,
      `"notices": {"notices": [${linesOf(this.#notices)}], "lastId": ${lastNotice}, "lastTimestamp": ${lastTimestamp}}`,
      `"warnings": [${linesOf(this.#warnings)}]`,
    ];
    return Buffer.from(`{\n${members.join(',\n')}\n}\n`);
  }
}

function linesOf(parts: Parts): string {
  return parts.size === 0 ? '' : `\n${[...parts.values()].join(',\n')}\n`;
}

function setParts<T>(
  all: Parts,
  parts: ReadonlyMap<string, T | null>,
  encode: (part: T, name: string) => string,
): void {
  for (const [name, part] of parts) {
    if (part === null) all.delete(name);
    else all.set(name, encode(part, name));
  }
}
