import { createHmac, randomBytes } from 'node:crypto';
import { SIGNATURE_KEY } from '@cairn/values';
import { isSealedValue } from './blinded-values.js';
import type { StateEntry } from './state-entries.js';

/** Parts of an entry that may have secrets. */
const PARTS = ['inputs', 'outputs'] as const;

/** Returns the ciphertexts of the secrets of entries, each once. */
export function sealedTexts(entries: readonly StateEntry[]): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!isSealedValue(value)) Object.values(value).forEach(visit);
    else if (typeof value.ciphertext === 'string') found.add(value.ciphertext);
  };
  for (const entry of entries) for (const part of PARTS) visit(entry[part]);
  return [...found];
}

/** Returns a function that makes a digest of a plaintext, with a key that only this one comparison has. */
export function comparisonDigest(): (plaintext: Uint8Array) => string {
  const key = randomBytes(32);
  return (plaintext) => createHmac('sha256', key).update(plaintext).digest('base64');
}

/**
 * Returns entries whose secrets have a digest in place of their ciphertext, so that one that was sealed again is equal.
 * Secrets without a digest stay as they are.
 */
export function withDigests(
  entries: readonly StateEntry[],
  digests: ReadonlyMap<string, string>,
): readonly StateEntry[] {
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    if (!isSealedValue(value))
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each)]));
    const digest = digests.get(String(value.ciphertext));
    const mark = (value as Readonly<Record<string, unknown>>)[SIGNATURE_KEY];
    return digest === undefined ? value : { [SIGNATURE_KEY]: mark, digest };
  };
  return entries.map((entry) => ({
    ...entry,
    ...Object.fromEntries(
      PARTS.filter((part) => entry[part] !== undefined).map((part) => [part, replaced(entry[part])]),
    ),
  }));
}
