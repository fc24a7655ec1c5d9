import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Transpiled files on disk, by a hash of everything that determines the result. An entry starts with the hash of its
 * own content and counts only when that is right. It is written aside and renamed, so that parallel runs never see half
 * of one. A cache that cannot be read or written only makes runs slower.
 */
interface TransformCache {
  get(key: string): string | undefined;
  put(key: string, content: string): void;
}

/** Returns the key of an entry. Parts are separated, so that moving text from one to the next gives another key. */
export function cacheKey(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}

/** Opens the cache in a directory. If undefined, nothing is kept. */
export function openTransformCache(directory: string | undefined): TransformCache {
  if (directory === undefined) return { get: () => undefined, put: () => undefined };
  const pathOf = (key: string) => join(directory, key.slice(0, 2), key.slice(2));
  return {
    get: (key) => {
      try {
        return verified(readFileSync(pathOf(key), 'utf8'));
      } catch {
        return undefined;
      }
    },
    put: (key, content) => {
      const path = pathOf(key);
      const aside = `${path}.${randomUUID()}`;
      try {
        mkdirSync(join(directory, key.slice(0, 2)), { recursive: true, mode: 0o700 });
        writeFileSync(aside, `${digest(content)}\n${content}`, { mode: 0o600 });
        renameSync(aside, path);
      } catch {
        discard(aside);
      }
    },
  };
}

function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or this process can neither write here nor remove it.
  }
}

function verified(text: string): string | undefined {
  const end = text.indexOf('\n');
  const content = text.slice(end + 1);
  return end > 0 && text.slice(0, end) === digest(content) ? content : undefined;
}

const digest = (content: string): string => createHash('sha256').update(content).digest('hex');
