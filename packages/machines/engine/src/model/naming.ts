import { createHash } from 'node:crypto';
import { unreachable } from '@cairn/diagnostics';
import type { Autonaming } from '@cairn/wire';

/** Characters of a generated part of a name. */
const ALPHABETS = {
  hex: '0123456789abcdef',
  alphanum: 'abcdefghijklmnopqrstuvwxyz0123456789',
  string: 'abcdefghijklmnopqrstuvwxyz',
  num: '0123456789',
} as const;

/** Kind of a generated part. */
export type Alphabet = keyof typeof ALPHABETS;

/** One part of a name pattern. */
export type NamePart =
  | { readonly t: 'text'; readonly text: string }
  /** The resource's own name. */
  | { readonly t: 'name' }
  | { readonly t: 'random'; readonly alphabet: Alphabet; readonly length: number }
  | { readonly t: 'uuid' };

/** Naming of a resource's objects, as the stack's configuration has it [REG-15]. */
export type NamingRule =
  /** The resource's own name, regardless of the provider's default. */
  | { readonly t: 'verbatim' }
  /** Names are not made up: the program must provide them. */
  | { readonly t: 'disabled' }
  | { readonly t: 'pattern'; readonly parts: readonly NamePart[]; readonly enforce: boolean };

/** The rule for one resource. */
export interface Naming {
  readonly rule: NamingRule;
  /** True if set for the provider or the type: then the user relies on it. */
  readonly specific: boolean;
}

/** Names of the alphabets. */
export const ALPHABET_NAMES = Object.keys(ALPHABETS) as readonly Alphabet[];

/**
 * Returns the name settings for a provider's check. The result is the same for the same seed. O(length of the name).
 */
export function proposedName(rule: NamingRule, name: string, seed: Uint8Array): Autonaming {
  switch (rule.t) {
    case 'verbatim':
      return { proposedName: name, mode: 'enforce' };
    case 'disabled':
      return { proposedName: '', mode: 'disable' };
    case 'pattern': {
      const stream = new ByteStream(seed);
      const parts = rule.parts.map((part) => partText(part, name, stream));
      return { proposedName: parts.join(''), mode: rule.enforce ? 'enforce' : 'propose' };
    }
    default:
      return unreachable(rule);
  }
}

/** Returns true if two objects of the resource cannot exist side by side, because both would have the same name. */
export function namesCollide(naming: Naming | undefined): boolean {
  if (naming === undefined) return false;
  const { rule } = naming;
  switch (rule.t) {
    case 'verbatim':
      return true;
    case 'disabled':
      return false;
    case 'pattern':
      return !rule.parts.some((part) => part.t === 'random' || part.t === 'uuid');
    default:
      return unreachable(rule);
  }
}

/**
 * Returns true if the user must know that a provider does not support names: the setting is enforced, or specific to
 * it.
 */
export function isOwedNaming({ rule, specific }: Naming): boolean {
  return specific || rule.t === 'verbatim' || (rule.t === 'pattern' && rule.enforce);
}

function partText(part: NamePart, name: string, stream: ByteStream): string {
  switch (part.t) {
    case 'text':
      return part.text;
    case 'name':
      return name;
    case 'random': {
      const letters = ALPHABETS[part.alphabet];
      return Array.from({ length: part.length }, () => letters[stream.below(letters.length)]).join('');
    }
    case 'uuid':
      return uuid(stream);
    default:
      return unreachable(part);
  }
}

/** Makes a version 4 UUID. */
function uuid(stream: ByteStream): string {
  const bytes = Uint8Array.from({ length: 16 }, () => stream.below(256));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Bytes derived from a seed: concatenated hashes of it and a counter. */
class ByteStream {
  #block = new Uint8Array(0);
  #at = 0;
  #blocks = 0;
  readonly #seed: Uint8Array;

  constructor(seed: Uint8Array) {
    this.#seed = seed;
  }

  /** Returns the next number below `limit` (at most 256), uniformly distributed. */
  below(limit: number): number {
    const fair = 256 - (256 % limit);
    for (;;) {
      const byte = this.#next();
      if (byte < fair) return byte % limit;
    }
  }

  #next(): number {
    if (this.#at === this.#block.length) {
      const counter = Uint8Array.of(this.#blocks & 0xff, (this.#blocks >> 8) & 0xff);
      this.#block = createHash('sha256').update(this.#seed).update(counter).digest();
      this.#blocks += 1;
      this.#at = 0;
    }
    return this.#block[this.#at++] as number;
  }
}
