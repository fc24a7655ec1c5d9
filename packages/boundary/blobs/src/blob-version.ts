import { createHash } from 'node:crypto';
import { BugError } from '@cairn/diagnostics';
import type { BlobVersion, PreconditionReason, PutCondition } from './blob-store.js';

/**
 * The version of a content: its SHA-256, so that writing the same bytes again is no change and a reused inode cannot
 * deceive.
 */
export function versionOf(bytes: Uint8Array): BlobVersion {
  return createHash('sha256').update(bytes).digest('hex');
}

/** {@link versionOf} for a content that comes in pieces. */
export class VersionHash {
  private readonly hash = createHash('sha256');

  add(bytes: Uint8Array): void {
    this.hash.update(bytes);
  }

  version(): BlobVersion {
    return this.hash.digest('hex');
  }
}

/** Why a put or delete may not happen on a blob that now has `current` (undefined: no blob); undefined when it may. */
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
