import { createHash } from 'node:crypto';
import type { BlobEnds, BlobVersion } from '@cairn/blobs';

/**
 * Note of a closed journal about the checkpoint that it left, so that others need not read all of it. It counts only
 * while the stored file has these ends, or this version. Any other writer leaves another time, which is at the
 * beginning.
 */
export interface CheckpointOutline {
  /** Digest of the stored file's size, its beginning and its end; see {@link endsDigest}. */
  readonly ends: string;
  /** Version of the stored file, on stores whose listings have versions. */
  readonly version?: BlobVersion;
  /** Number of entries. */
  readonly resources: number;
  /** Time of the manifest. */
  readonly time: string;
}

/** Number of bytes at either end of a checkpoint that are compared. */
export const END_BYTES = 1 << 16;

/** Returns the digest of the ends of a stored checkpoint, for its outline. */
export function endsDigest({ start, end, size }: BlobEnds): string {
  return createHash('sha256').update(`${size}\n`).update(start).update(end).digest('hex');
}

/** Returns {@link endsDigest} of all bytes of a file. */
export function endsDigestOf(bytes: Uint8Array): string {
  const length = Math.min(END_BYTES, bytes.length);
  const [start, end] = [bytes.subarray(0, length), bytes.subarray(bytes.length - length)];
  return endsDigest({ start, end, size: bytes.length });
}
