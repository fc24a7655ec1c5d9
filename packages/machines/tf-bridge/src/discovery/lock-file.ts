import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { BlockBody, readBlocks } from './block-syntax.js';
import { readSource, sameSource } from './source-address.js';
import type { ProviderAddress } from './source-address.js';

/** Entry of a lock file for a provider. */
export interface LockedProvider {
  readonly version: string;
  /**
   * Checksums of its packages for all platforms, `h1:…` and `zh:…`. If empty, any package of the version is accepted.
   */
  readonly hashes: readonly string[];
  /** Name of the lock file, for messages. */
  readonly file: string;
}

const LOCK_FILE = '.terraform.lock.hcl';

/** Reads a provider's entry in the lock file of a directory [TFD-7]. Fails with CAIRN-USAGE on a damaged file. */
export async function readLock(cwd: string, source: ProviderAddress): Promise<LockedProvider | undefined> {
  const file = join(cwd, LOCK_FILE);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return lockedIn(text, source);
  } catch (error) {
    const details = { causes: [messageOf(error)] };
    throw cairnError('CAIRN-USAGE', `cannot read the lock file ${file}`, details, error);
  }
}

function lockedIn(text: string, source: ProviderAddress): LockedProvider | undefined {
  for (const { key, labels, value } of readBlocks(text).entries) {
    if (key !== 'provider' || !(value instanceof BlockBody)) continue;
    const read = readSource(labels[0] ?? '');
    if (read.t !== 'source' || !sameSource(read.source, source)) continue;
    const version = value.value('version');
    const hashes = value.value('hashes') ?? [];
    if (typeof version !== 'string' || !Array.isArray(hashes)) throw new Error(`${labels[0]} has no version`);
    return { version, hashes: hashes.filter((each) => typeof each === 'string'), file: LOCK_FILE };
  }
  return undefined;
}
