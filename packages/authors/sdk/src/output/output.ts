import { SOURCE, isOutput } from './brand.js';
import type { Output, Source } from './brand.js';
import { gather } from './gather.js';
import { isKnown, isWhollyUnknown, union, unknownLike } from './resolution.js';
import type { Resolution } from './resolution.js';

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

/** Thrown if an output is used in place of a plain value. */
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

/** Returns one property of an output's value. It is known as soon as that property is. */
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

// Names that are not properties of an output do not reach the class; the prototype behind it answers them by lifting.
// Promise machinery and printers look for these names on any object.
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

/** Creates an output from its resolution, or from the promise of it. */
export function makeOutput<T>(source: Source): Output<T> {
  return new OutputNode(source) as unknown as Output<T>;
}
