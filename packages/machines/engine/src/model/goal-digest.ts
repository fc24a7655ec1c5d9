import { createHmac } from 'node:crypto';
import { nopCrypter } from '@cairn/crypters';
import { encodeEntry, goJson } from '@cairn/state';
import type { Json } from '@cairn/state';
import { containsUnknown } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { Goal } from './goal.js';
import { goalEntry } from './make-step.js';
import { FORMS } from './option-forms.js';
import type { OptionForm } from './option-forms.js';
import { OPTIONS, STORED_UNWANTED, WANTED, WANTED_UNSTORED, blankOf } from './options.js';
import type { GoalOption } from './options.js';
import { PropertyDigest } from './property-digest.js';

/** Mark of digests in the present form. Those of earlier versions have none. */
const MARK = '2:';

/**
 * Returns a keyed digest of a goal in two halves: everything about the resource itself, and its provider. Its place in
 * the program does not count, nor do names that only help to find its prior entry. Undefined for a goal with unknown
 * values, which exists in previews only. Equal goals have equal digests under one key, in any process. Secrets are part
 * of a goal. Only the keyed digest leaves this file. `like`: a digest to compare with, which may have an earlier form.
 */
export function goalDigest(goal: Goal, key: Uint8Array, like = MARK): string | undefined {
  if (!like.startsWith(MARK)) return earlierDigest(goal, key);
  const digest = digestFor(key);
  digest.begin();
  digest.string(goal.urn);
  digest.string(goal.type);
  digest.string(goal.custom ? 'custom' : '');
  digest.optional(goal.parent);
  digest.firstMap(goal.inputs);
  for (let at = 0; at < WANTED.length; at++) writeOption(goal, WANTED[at] as GoalOption, digest);
  const own = digest.endText();
  return own === undefined ? undefined : `${MARK}${own}.${providerHalf(goal.provider ?? '', key)}`;
}

/** Writes an option in its place. A blank one has one form, however it was stated. */
function writeOption(goal: Goal, name: GoalOption, digest: PropertyDigest): void {
  const value: unknown = goal[name];
  const form: OptionForm = OPTIONS[name].form;
  const { same, blank } = FORMS[form] as { same(a: unknown, b: unknown): boolean; blank: unknown };
  if (value === undefined || value === blank || same(value, blank)) return digest.optional(undefined);
  switch (form) {
    case 'value':
      return digest.value(value as PropertyValue);
    case 'urnSet':
      digest.optional('set');
      return digest.set(value as readonly string[]);
    case 'urnLists':
    case 'textLists':
      return digest.lists(value as Readonly<Record<string, readonly string[]>>);
    case 'timeouts': {
      const { create, read, update, delete: remove } = value as Goal['customTimeouts'];
      return digest.optional(JSON.stringify([create, read, update, remove]));
    }
    default:
      return digest.optional(JSON.stringify(value));
  }
}

/** Writers by key. An operation has one key. */
const writers = new WeakMap<Uint8Array, PropertyDigest>();

function digestFor(key: Uint8Array): PropertyDigest {
  let writer = writers.get(key);
  if (writer === undefined) writers.set(key, (writer = new PropertyDigest(key)));
  return writer;
}

/** Blank values of the stored options that do not count in a goal. */
const WANTED_BY_NOBODY: Partial<Goal> = Object.fromEntries(
  STORED_UNWANTED.map((name) => [name, blankOf(name)]),
);

/** Bytes of each half of earlier digests, enough that two goals never share one. */
const BYTES = 16;

/** Returns the digest as earlier versions made it (HMAC-SHA256 of JSON): their journals have such ones. */
function earlierDigest(goal: Goal, key: Uint8Array): string | undefined {
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
