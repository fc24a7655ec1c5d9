/**
 * Replacements for a package's exports. The file behind one is loaded on first use, so that importing a package of
 * thousands of resources costs only as much as the program uses.
 */

/** Returns a class that is loaded when it is first constructed, extended or accessed. */
export function lazyClass<T extends object>(load: () => T): T {
  // A function, not a class: a proxy could not replace the `prototype` of a class by another one.
  const target = function () {} as unknown as T;
  const real = load as () => T & (new (...args: never[]) => object);
  // `callerOf` omits a function of this name from source positions. Bundles keep the names of declared functions only.
  function constructedByStandIn(_target: T, args: readonly unknown[], newTarget: unknown): object {
    const made = newTarget === standIn ? real() : (newTarget as ReturnType<typeof real>);
    return Reflect.construct(real(), args, made);
  }
  const standIn: T = new Proxy(target, {
    construct: constructedByStandIn,
    get: (_target, key) => Reflect.get(real(), key) as unknown,
    has: (_target, key) => Reflect.has(real(), key),
  });
  return standIn;
}

/** Returns a function that is loaded on the first call. */
export function lazyFunction(load: () => (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
  return (...args) => load()(...args);
}

/** Returns an object that is loaded on first access. */
export function lazyObject(load: () => object): object {
  return new Proxy(
    {},
    {
      get: (_target, key) => Reflect.get(load(), key) as unknown,
      has: (_target, key) => Reflect.has(load(), key),
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor: (_target, key) => {
        const found = Reflect.getOwnPropertyDescriptor(load(), key);
        return found === undefined ? undefined : { ...found, configurable: true };
      },
    },
  );
}
