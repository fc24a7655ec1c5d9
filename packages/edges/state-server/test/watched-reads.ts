import type { ServiceStore } from '../src/index.js';

/** Returns a store that notes the name of each of its calls. */
export function watchedReads(store: ServiceStore, calls: string[]): ServiceStore {
  return new Proxy(store, {
    get: (target, name: keyof ServiceStore) => {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...args: never[]) => {
        calls.push(name);
        return (value as (...args: never[]) => unknown)(...args);
      };
    },
  });
}
