/**
 * Stand-ins for what a package exports: the file behind one is loaded when it is first used, so that importing a
 * package of thousands of resources costs what the program uses.
 */

/** A class that is loaded when it is first constructed, extended or asked for something. */
export function lazyClass<T extends object>(load: () => T): T {
  // A function, not a class: the `prototype` of a class could not be answered with that of another one.
  const target = function () {} as unknown as T;
  const real = load as () => T & (new (...args: never[]) => object);
  // By this name it is left out of source positions: `callerOf`. Bundles keep the names of declared functions only.
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

/** A function that is loaded when it is first called. */
export function lazyFunction(load: () => (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
  return (...args) => load()(...args);
}

/** An object that is loaded when it is first looked at. */
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
