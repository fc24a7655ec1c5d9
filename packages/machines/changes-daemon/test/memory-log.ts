import type { RegisterLog } from '../src/upkeep/register-log.js';

/** Log in memory that can fail. */
export interface MemoryLog extends RegisterLog {
  bytes: Uint8Array | undefined;
  /** Number of writes that were begun. */
  writes: number;
  replacements: number;
  /** Number of writes that fail from now on. */
  failures: number;
  /** Bytes of an append that are written before it fails. */
  written: number;
}

export function memoryLog(bytes?: Uint8Array): MemoryLog {
  const log: MemoryLog = {
    bytes,
    ...{ writes: 0, replacements: 0, failures: 0, written: 0 },
    read: () => Promise.resolve(log.bytes),
    append(more, at) {
      if (log.bytes === undefined || log.bytes.length < at) return Promise.resolve(false);
      const fails = begin();
      const part = fails ? more.subarray(0, log.written) : more;
      log.bytes = Buffer.concat([log.bytes.subarray(0, at), part]);
      return fails ? diskFull() : Promise.resolve(true);
    },
    replace(all) {
      if (begin()) return diskFull();
      log.replacements += 1;
      log.bytes = all;
      return Promise.resolve();
    },
  };
  function begin(): boolean {
    log.writes += 1;
    log.failures -= 1;
    return log.failures >= 0;
  }
  return log;
}

const diskFull = (): Promise<never> => Promise.reject(new Error('disk full'));
