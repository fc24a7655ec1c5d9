import { hasFrameBehind, readFrame } from '@cairn/changes';
import type { Status } from '@cairn/changes';
import { encodeFrame } from '@cairn/changes/encode-frame';
import { messageOf } from '@cairn/diagnostics';
import { noticeName } from '../notices/notice.js';
import type { NoticeJson } from '../notices/notice.js';
import type { WarningJson } from '../notices/warnings.js';
import type { RegisterDocument } from './register-document.js';
import { parseRegisterDocument, registerCorrupt } from './register-document.js';
import type { RegisterChanges, RegisterHead, RegisterStore } from './register-store.js';

/** A log is rewritten when it would have more bytes than this many times what its register needs, and these. */
const GROWTH = 4;
const SMALL_LOG = 65_536;

/** Place of one log. */
export interface RegisterLog {
  /** Returns the log, or `undefined` if there is none yet. */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Writes bytes at an offset, in place of everything behind it. They are durable when the promise resolves. Returns
   * false, and writes nothing, if the log does not reach the offset.
   */
  append(bytes: Uint8Array, at: number): Promise<boolean>;
  /** Replaces the whole log, or nothing of it. The new one is durable when the promise resolves. */
  replace(bytes: Uint8Array): Promise<void>;
}

/**
 * Returns a store that keeps a register as a log, for a register with one process at a time. A write appends one frame
 * with the parts that have changed. The first frame has all parts: the log is replaced by such a frame when it has
 * grown to some times its need [CHG-31].
 */
export function logRegisterStore(log: RegisterLog): RegisterStore {
  let parts = new RegisterParts();
  /** Bytes of the log that are good. Undefined until the log is known to be one that can be continued. */
  let size: number | undefined;
  const replace = async (): Promise<void> => {
    size = undefined;
    const bytes = encodeFrame(parts.record());
    await log.replace(bytes);
    size = bytes.length;
  };
  return {
    async read() {
      const bytes = await log.read();
      if (bytes === undefined) return undefined;
      const { document, goodBytes } = decodeRegister(bytes);
      parts = new RegisterParts(document);
      size = goodBytes;
      return document;
    },
    async write(changes) {
      const frame = encodeFrame(parts.take(changes));
      const end = size === undefined ? undefined : size + frame.length;
      const fits = end !== undefined && end <= GROWTH * parts.bytes + SMALL_LOG;
      if (fits && (await log.append(frame, end - frame.length))) size = end;
      else await replace();
    },
    replace(document) {
      parts = new RegisterParts(document);
      return replace();
    },
  };
}

/** Content of a stored register. */
interface DecodedRegister {
  readonly document: RegisterDocument;
  /** Bytes of its log before an unfinished end. Undefined for one JSON object, as older versions wrote it. */
  readonly goodBytes: number | undefined;
}

/**
 * Decodes a register. An unfinished end of its log is dropped: it was never reported as durable. Fails with
 * CAIRN-STATE-CORRUPT for any other damage.
 */
export function decodeRegister(bytes: Uint8Array): DecodedRegister {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = readFrame(buffer, 0);
  // A log is placed with its first frame.
  if (first === undefined) return { document: parseRegisterDocument(bytes), goodBytes: undefined };
  const fold = new RegisterFold();
  let goodBytes = 0;
  for (
    let frame: typeof first | undefined = first;
    frame !== undefined;
    frame = readFrame(buffer, goodBytes)
  ) {
    try {
      fold.take(JSON.parse(frame.json) as RegisterRecord);
    } catch (cause) {
      registerCorrupt(`at byte ${goodBytes}: ${messageOf(cause)}`);
    }
    goodBytes = frame.end;
  }
  if (hasFrameBehind(buffer, goodBytes)) registerCorrupt(`at byte ${goodBytes}: whole records follow`);
  return { document: fold.document(), goodBytes };
}

/** Names of the parts of a register, and the parts. `null` deletes one. */
type Pairs<T> = readonly (readonly [string, T | null])[];

/** JSON of a frame: the parts that a write has changed, or all. */
interface RegisterRecord {
  readonly head: RegisterHead;
  readonly data: Pairs<unknown>;
  readonly changes: Pairs<Status | 'new'>;
  readonly notices: Pairs<NoticeJson>;
  readonly warnings: Pairs<WarningJson>;
}

const TABLES = ['data', 'changes', 'notices', 'warnings'] as const;

/** Register as the records of a log, one after the other, have made it. */
class RegisterFold {
  #head: RegisterHead | undefined;
  readonly #data = new Map<string, unknown>();
  readonly #changes = new Map<string, Status | 'new'>();
  readonly #notices = new Map<string, NoticeJson>();
  readonly #warnings = new Map<string, WarningJson>();

  take({ head, data, changes, notices, warnings }: RegisterRecord): void {
    this.#head = head;
    setParts(this.#data, data);
    setParts(this.#changes, changes);
    setParts(this.#notices, notices);
    setParts(this.#warnings, warnings);
  }

  /** There must have been a record. */
  document(): RegisterDocument {
    const { patch, started, lastChange, lastNotice, lastTimestamp } = this.#head as RegisterHead;
    return {
      ...{ patch, started, lastChange },
      data: Object.fromEntries(this.#data),
      changes: [...this.#changes].map(([id, told]) => ({ id, told })),
      notices: { notices: [...this.#notices.values()], lastId: lastNotice, lastTimestamp },
      warnings: [...this.#warnings.values()],
    };
  }
}

function setParts<T>(all: Map<string, T>, pairs: Iterable<readonly [string, T | null]>): void {
  for (const [name, part] of pairs) {
    if (part === null) all.delete(name);
    else all.set(name, part);
  }
}

/** All parts of a register, encoded, so that a write encodes only those that have changed. */
class RegisterParts {
  /** Characters of all parts: nearly the bytes that they need. */
  bytes = 0;
  #head: RegisterHead | undefined;
  readonly #tables = { data: parts(), changes: parts(), notices: parts(), warnings: parts() };

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

  /** Takes changed parts, and returns them as JSON of a record. Taking them once more changes nothing. */
  take(changes: RegisterChanges): string {
    this.#head = changes.head;
    return this.#record((table) => {
      const all = this.#tables[table];
      return [...changes[table]].map(([name, part]) => {
        const text = `[${JSON.stringify(name)},${JSON.stringify(part)}]`;
        this.bytes -= all.get(name)?.length ?? 0;
        if (part === null) all.delete(name);
        else {
          all.set(name, text);
          this.bytes += text.length;
        }
        return text;
      });
    });
  }

  /** Returns all parts as JSON of a record. There must have been changes. */
  record(): string {
    return this.#record((table) => [...this.#tables[table].values()]);
  }

  #record(pairs: (table: (typeof TABLES)[number]) => readonly string[]): string {
    const tables = TABLES.map((table) => `"${table}":[${pairs(table).join(',')}]`);
    return `{"head":${JSON.stringify(this.#head)},${tables.join(',')}}`;
  }
}

const parts = (): Map<string, string> => new Map();
