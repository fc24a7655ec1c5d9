import { SOURCE, isOutput } from './brand.js';
import type { Source } from './brand.js';
import { gather } from './gather.js';
import { isKnown, isWhollyUnknown, union, unknownLike } from './resolution.js';
import type { Resolution } from './resolution.js';

/** A value, or something that will be one. What resources take as inputs. */
export type Input<T> = T | Promise<T> | Output<T>;

/** The value inside outputs and promises, at every depth. */
export type Unwrap<T> =
  T extends Promise<infer U>
    ? Unwrap<U>
    : T extends OutputHandle<infer U>
      ? Unwrap<U>
      : T extends string | number | boolean | bigint | symbol | null | undefined
        ? T
        : T extends (...args: never[]) => unknown
          ? T
          : T extends { readonly urn: OutputHandle<string> }
            ? T
            : T extends object
              ? { [K in keyof T]: Unwrap<T[K]> }
              : T;

/**
 * A value a resource will have: perhaps not known yet, perhaps secret, with the resources it comes from. Properties of the
 * value can be taken directly: `out.name` is `out.apply((value) => value.name)`, and gives `undefined` where there is none.
 */
export type Output<T> = OutputHandle<T> & Lifted<T>;

type Lifted<T> = T extends readonly (infer E)[]
  ? { readonly [index: number]: Output<E>; readonly length: Output<number> }
  : T extends object
    ? { readonly [K in Exclude<keyof T, keyof OutputHandle<unknown>>]: Output<T[K]> }
    : unknown;

/** What every output offers. */
export interface OutputHandle<T> {
  /**
   * An output made from this one by a function of its value. The function is not called while the value is not known
   * (preview) and its own output, if it returns one, is flattened. Secretness and dependencies carry over.
   */
  apply<U>(func: (value: T) => Input<U>): Output<U>;
  readonly [SOURCE]: Source;
}

class OutputNode {
  [SOURCE]: Source;

  constructor(source: Source) {
    this[SOURCE] = source;
  }

  apply(func: (value: unknown) => unknown): unknown {
    return new OutputNode(applied(this[SOURCE], func));
  }

  toString(): never {
    throw new OutputUseError('to a string; use interpolate`…` or apply');
  }

  toJSON(): never {
    throw new OutputUseError('to JSON; use jsonStringify(…) or apply');
  }
}

/** An output was used where a plain value is needed. */
export class OutputUseError extends TypeError {
  override readonly name = 'OutputUseError';

  constructor(use: string) {
    super(`an output cannot be turned ${use}`);
  }
}

async function applied(source: Source, func: (value: unknown) => unknown): Promise<Resolution> {
  const from = await source;
  if (!isKnown(from)) return unknownLike(from);
  const result = await func(from.value);
  if (!isOutput(result)) return { ...from, value: result };
  const inner = await result[SOURCE];
  return {
    value: inner.value,
    secret: from.secret || inner.secret,
    dependencies: union(from.dependencies, inner.dependencies),
  };
}

/** One property of an output's value; known as soon as that property is. */
async function plucked(source: Source, key: string): Promise<Resolution> {
  const from = await source;
  const { value } = from;
  if (isWhollyUnknown(value)) return from;
  const property: unknown =
    value === null || value === undefined ? undefined : (value as Record<string, unknown>)[key];
  const found = await gather(property);
  return {
    value: found.value,
    secret: from.secret || found.secret,
    dependencies: union(from.dependencies, found.dependencies),
  };
}

// Names that are no property of an output do not reach the class; the prototype behind it answers them by lifting.
// Promise machinery and printers look for these names on anything.
const NOT_LIFTED = new Set([
  'then',
  'constructor',
  'toJSON',
  'toString',
  'valueOf',
  'inspect',
  'asymmetricMatch',
  '$$typeof',
  'nodeType',
]);
const lifting = new Proxy(Object.create(null) as object, {
  get(_target, key, receiver: OutputNode) {
    if (typeof key === 'symbol' || NOT_LIFTED.has(key) || key.startsWith('__') || key.startsWith('@@'))
      return undefined;
    return new OutputNode(plucked(receiver[SOURCE], key));
  },
});
Object.setPrototypeOf(OutputNode.prototype, lifting);

/** Makes an output of what it is, or will be. */
export function makeOutput<T>(source: Source): Output<T> {
  return new OutputNode(source) as unknown as Output<T>;
}
