import { encodeRecords } from './frame.js';
import type { ChangeRecord } from './records.js';
import type { ChangeStore } from './store.js';

/** The end of a file or another append-only place. */
export interface SegmentWriter {
  /** Adds the bytes at the end; they are durable when the promise resolves. Never called while a call is unfinished. */
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Appends from many callers in as few durable writes as possible. */
export interface GroupCommit {
  /** Durable when resolved; calls resolve in order. After a failed write every later call fails with the same cause. */
  append(bytes: Uint8Array): Promise<void>;
  /** Waits for what was appended and closes the writer. Appending afterwards fails. */
  close(): Promise<void>;
}

interface Group {
  readonly parts: Uint8Array[];
  readonly durable: Promise<void>;
}

/**
 * One write in flight; whatever is appended meanwhile goes together into the next one, so the cost of making bytes
 * durable is shared by everybody who waits for it.
 */
export function groupCommit(writer: SegmentWriter): GroupCommit {
  let previous: Promise<void> = Promise.resolve();
  let open: Group | undefined;
  let broken: Promise<void> | undefined;
  let closed = false;

  const startGroup = (): Group => {
    const parts: Uint8Array[] = [];
    const durable = previous.then(() => {
      open = undefined;
      return writer.write(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts));
    });
    // Every appender gets this very promise; the chain itself must not count as an unhandled failure.
    durable.catch(() => {
      broken ??= durable;
    });
    previous = durable;
    return { parts, durable };
  };

  return {
    append(bytes) {
      if (closed) return Promise.reject(new Error('the segment is closed'));
      if (broken !== undefined) return broken;
      open ??= startGroup();
      open.parts.push(bytes);
      return open.durable;
    },
    async close() {
      closed = true;
      await previous.catch(() => undefined);
      await writer.close();
    },
  };
}

/** A change store over one segment: frames of `frame.ts`, committed in groups. `load` reads what was there before. */
export function segmentStore(
  writer: SegmentWriter,
  load: () => Promise<readonly ChangeRecord[]>,
): ChangeStore & { close(): Promise<void> } {
  const commit = groupCommit(writer);
  return {
    append: (records) => commit.append(encodeRecords(records)),
    load,
    close: () => commit.close(),
  };
}
