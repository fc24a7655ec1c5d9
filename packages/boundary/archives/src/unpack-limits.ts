/** Limits of the contents of one archive. */
export interface UnpackLimits {
  /** Bytes of all files together. */
  readonly bytes: number;
  /** Files, directories and links together. */
  readonly entries: number;
  /** Unpacked bytes per packed byte, counted once more than `freeBytes` are unpacked. */
  readonly ratio: number;
  /** Unpacked bytes to which no ratio applies. */
  readonly freeBytes: number;
}

/**
 * Limits used by default. The largest plugins unpack to about 1 GB, 5 bytes per packed byte; gzip itself reaches 1,030
 * bytes per byte.
 */
export const DEFAULT_UNPACK_LIMITS: UnpackLimits = {
  bytes: 8 * 1024 ** 3,
  entries: 200_000,
  ratio: 100,
  freeBytes: 64 * 1024 ** 2,
};

/** Counts the contents of an archive. */
export interface UnpackBudget {
  /** Adds an entry. Throws when there are too many. */
  addEntry(): void;
  /** Adds unpacked bytes. Throws when there are too many in all, or too many for the size of the archive. */
  addBytes(count: number): void;
}

/** Creates a budget for one archive of `packedBytes` bytes. */
export function unpackBudget(limits: UnpackLimits, packedBytes: number): UnpackBudget {
  const mostByRatio = Math.max(limits.freeBytes, limits.ratio * packedBytes);
  let entries = 0;
  let bytes = 0;
  return {
    addEntry() {
      entries += 1;
      if (entries > limits.entries) throw new Error(`it has more than ${limits.entries} members`);
    },
    addBytes(count) {
      bytes += count;
      if (bytes > limits.bytes) throw new Error(`it unpacks to more than ${limits.bytes} bytes`);
      if (bytes > mostByRatio)
        throw new Error(`it unpacks to more than ${limits.ratio} times its size of ${packedBytes} bytes`);
    },
  };
}
