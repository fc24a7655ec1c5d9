import type { SchemaText } from '../src/notation/index.js';

/** Random schemas and values for them, in the notation of cases. The same seed gives the same ones. */
export type Json = null | string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** Source of random choices. */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0;
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

type Schema = Record<string, readonly [string, unknown] | { block: string; body: Schema }>;

const FLAGS = ['O', 'R', 'C', 'OC', 'O', 'OC', 'OS', 'OW'];

/** Returns a schema. `dynamic` allows attributes of any type. */
export function randomSchema(choices: Choices, depth = 2, dynamic = true): SchemaText {
  const schema: Schema = {};
  const names = ['a', 'b', 'c', 'd'].slice(0, 1 + choices.below(4));
  for (const name of names) {
    if (depth > 0 && choices.chance(0.45)) {
      const block = choices.of(['single', 'group', 'list', 'set', 'map']);
      const body = randomSchema(choices, depth - 1, dynamic && block !== 'set') as Schema;
      schema[`${name}k`] = { block, body };
    } else schema[name] = randomAttribute(choices, depth, dynamic);
  }
  return schema as SchemaText;
}

function randomAttribute(choices: Choices, depth: number, dynamic: boolean): readonly [string, unknown] {
  const flags = choices.of(FLAGS);
  if (depth > 0 && choices.chance(0.4)) {
    const nested = choices.of(['single', 'list', 'set', 'map']);
    const attrs: Record<string, unknown> = {};
    for (const name of ['x', 'y', 'z'].slice(0, 1 + choices.below(3))) {
      attrs[name] = randomAttribute(choices, depth - 1, false);
    }
    return [flags.replace('W', ''), { nested, attrs }];
  }
  if (dynamic && choices.chance(0.1)) return [flags, 'dynamic'];
  return [flags, randomType(choices, 2)];
}

export function randomType(choices: Choices, depth: number): Json {
  if (depth === 0 || choices.chance(0.6)) return choices.of(['string', 'number', 'bool', 'string']);
  const inner = () => randomType(choices, depth - 1);
  const kind = choices.of(['list', 'set', 'map', 'tuple', 'object']);
  if (kind === 'tuple') return [kind, [inner(), inner()]];
  return [kind, kind === 'object' ? { p: inner(), q: inner() } : inner()];
}

/** Share of null and unknown parts in a value. */
export interface Shares {
  readonly nulls: number;
  readonly unknowns: number;
  /** True for unknown values with a refinement. */
  readonly refined?: boolean;
}

const TEXTS = ['', 'a', 'b', 'ab', 'é'];
const NUMBERS: readonly Json[] = [0, 1, 2, 0.5, { $num: '0.1' }, { $num: '9007199254740993' }, -1];

export function randomTyped(choices: Choices, type: Json, shares: Shares): Json {
  if (choices.chance(shares.nulls)) return null;
  if (choices.chance(shares.unknowns)) return { $unknown: randomUnknown(choices, type, shares) };
  const inner = (each: Json) => randomTyped(choices, each, shares);
  if (type === 'dynamic') {
    const own = randomType(choices, 1);
    return { $dyn: [own, randomTyped(choices, own, { ...shares, nulls: 0 })] };
  }
  if (type === 'string') return choices.of(TEXTS);
  if (type === 'number') return choices.of(NUMBERS);
  if (type === 'bool') return choices.chance(0.5);
  const [kind, of] = type as [string, Json];
  if (kind === 'tuple') return (of as Json[]).map(inner);
  if (kind === 'object') {
    return Object.fromEntries(Object.entries(of as Record<string, Json>).map(([k, t]) => [k, inner(t)]));
  }
  if (kind === 'map') return Object.fromEntries(keys(choices).map((key) => [key, elementOf(inner, of)]));
  return keys(choices).map(() => elementOf(inner, of));
}

function elementOf(inner: (type: Json) => Json, type: Json): Json {
  return inner(type);
}

function randomUnknown(choices: Choices, type: Json, { refined }: Shares): Json {
  if (refined !== true || type === 'dynamic' || choices.chance(0.4)) return true;
  if (choices.chance(0.3)) return { notNull: true };
  if (type === 'string') return { notNull: true, prefix: choices.of(['a', 'b']) };
  if (type === 'number') return { notNull: true, min: [1, choices.chance(0.5)] };
  const kind = typeof type === 'string' ? type : (type as Json[])[0];
  if (kind === 'list' || kind === 'map' || kind === 'set') return { notNull: true, lenMin: 1, lenMax: 3 };
  return { notNull: true };
}

function keys(choices: Choices): readonly string[] {
  return ['k1', 'k2', 'k3'].filter(() => choices.chance(0.5));
}

/** Returns a value of a schema. */
export function randomValue(choices: Choices, schema: SchemaText, shares: Shares): Json {
  const value: Record<string, Json> = {};
  for (const [name, each] of Object.entries(schema)) {
    value[name] = 'block' in each ? blocks(choices, each, shares) : attribute(choices, each[1], shares);
  }
  return value;
}

interface BlockText {
  readonly block: string;
  readonly body: SchemaText;
}

function blocks(choices: Choices, { block, body }: BlockText, shares: Shares): Json {
  if (choices.chance(shares.unknowns / 2)) return { $unknown: true };
  const one = () => randomValue(choices, body, shares);
  if (block === 'group') return one();
  if (block === 'single') return choices.chance(0.3) ? null : one();
  if (block === 'map') return Object.fromEntries(keys(choices).map((key) => [key, one()]));
  return keys(choices).map(one);
}

function attribute(choices: Choices, type: unknown, shares: Shares): Json {
  if (typeof type !== 'object' || type === null || !('nested' in type))
    return randomTyped(choices, type as Json, shares);
  if (choices.chance(shares.nulls)) return null;
  if (choices.chance(shares.unknowns)) return { $unknown: true };
  const { nested, attrs } = type as { nested: string; attrs: Record<string, readonly [string, unknown]> };
  const one = () =>
    Object.fromEntries(
      Object.entries(attrs).map(([name, each]) => [name, attribute(choices, each[1], shares)]),
    );
  if (nested === 'single') return one();
  if (nested === 'map') return Object.fromEntries(keys(choices).map((key) => [key, one()]));
  return keys(choices).map(one);
}

/** Returns the same value with some of its parts changed. */
export function changed(choices: Choices, value: Json, share: number, nulls = true): Json {
  if (choices.chance(share)) {
    const kind = choices.below(4);
    if (kind === 0 && nulls) return null;
    if (kind === 1) return { $unknown: true };
    if (typeof value === 'string') return choices.of(TEXTS);
    if (typeof value === 'number') return choices.of(NUMBERS);
    if (typeof value === 'boolean') return !value;
    if (Array.isArray(value) && value.length > 0)
      return kind === 2 ? value.slice(1) : [...value, value[0] as Json];
  }
  if (Array.isArray(value)) return value.map((each: Json) => changed(choices, each, share));
  if (typeof value !== 'object' || value === null || Object.keys(value).some((key) => key.startsWith('$')))
    return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([key, each]) => [key, changed(choices, each, share)]),
  );
}
