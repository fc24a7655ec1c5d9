import { createHash } from 'node:crypto';
import { BugError } from '@cairn/diagnostics';
import type { BlobVersion, PreconditionReason, PutCondition } from './blob-store.js';

/**
 * Returns the version of a content: its SHA-256. Writing the same bytes again is no change, and a reused inode cannot
 * deceive.
 */
export function versionOf(bytes: Uint8Array): BlobVersion {
  return createHash('sha256').update(bytes).digest('hex');
}

/** {@link versionOf} for a content that arrives in pieces. */
export class VersionHash {
  readonly #hash = createHash('sha256');

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  version(): BlobVersion {
    return this.#hash.digest('hex');
  }
}

/**
 * Returns why a put or delete may not happen on a blob that has version `current` (undefined: no blob). Undefined if it
 * may happen.
 */
export function failedCondition(
  condition: PutCondition,
  current: BlobVersion | undefined,
): PreconditionReason | undefined {
  const { ifAbsent, ifVersion } = condition;
  if (ifAbsent === true && ifVersion !== undefined) throw new BugError('a put has one condition, not two');
  if (ifAbsent === true) return current === undefined ? undefined : 'exists';
  if (ifVersion === undefined) return undefined;
  if (current === undefined) return 'missing';
  return current === ifVersion ? undefined : 'changed';
}
