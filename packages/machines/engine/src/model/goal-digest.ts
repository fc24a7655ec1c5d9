import { createHmac } from 'node:crypto';
import { nopCrypter } from '@cairn/crypters';
import { encodeEntry, goJson } from '@cairn/state';
import type { Json } from '@cairn/state';
import { containsUnknown } from '@cairn/values';
import type { Goal } from './goal.js';
import { goalEntry } from './make-step.js';
import { STORED_UNWANTED, WANTED_UNSTORED, blankOf } from './options.js';

/** Blank values of the stored options that do not count in a goal. */
const WANTED_BY_NOBODY: Partial<Goal> = Object.fromEntries(
  STORED_UNWANTED.map((name) => [name, blankOf(name)]),
);

/** Bytes of each half, enough that two goals never share one. */
const BYTES = 16;

/**
 * Returns a keyed digest (HMAC-SHA256) of a goal in two halves: everything about the resource itself, and its provider.
 * Its place in the program does not count, nor do names that only help to find its prior entry. Undefined for a goal
 * with unknown values, which exists in previews only. Equal goals have equal digests under one key, in any process.
 * Secrets are part of a goal. Only the keyed digest leaves this file.
 */
export function goalDigest(goal: Goal, key: Uint8Array): string | undefined {
  if (containsUnknown(goal.inputs)) return undefined;
  const bare: Goal = {
    ...goal,
    ...WANTED_BY_NOBODY,
    provider: undefined,
    dependencies: [...goal.dependencies].sort(),
  };
  const wanted = goJson(encodeEntry(goalEntry(bare, goal.inputs, undefined), nopCrypter) as unknown as Json);
  const rest = goJson(WANTED_UNSTORED.map((name) => (goal[name] ?? null) as Json));
  return `${half(`${wanted}${rest}`, key)}.${providerHalf(goal.provider ?? '', key)}`;
}

/** Halves of providers by key. They are few, and each serves many goals. */
const providerHalves = new WeakMap<Uint8Array, Map<string, string>>();

function providerHalf(provider: string, key: Uint8Array): string {
  let halves = providerHalves.get(key);
  if (halves === undefined) providerHalves.set(key, (halves = new Map()));
  let known = halves.get(provider);
  if (known === undefined) halves.set(provider, (known = half(provider, key)));
  return known;
}

/** Difference between a goal and the digest of an earlier one. */
type GoalChange = 'same' | 'provider' | 'other';

/** Compares two digests that {@link goalDigest} made with one key. */
export function compareDigests(before: string, now: string): GoalChange {
  if (before === now) return 'same';
  return before.split('.')[0] === now.split('.')[0] ? 'provider' : 'other';
}

function half(text: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, BYTES).toString('base64url');
}
