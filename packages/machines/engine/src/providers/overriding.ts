import type { Provider } from '@cairn/wire';

/** The provider with some methods answered otherwise. Everything else goes through, bound to the provider itself. */
export function overriding<P extends Provider>(provider: P, methods: Partial<Provider>): P {
  return new Proxy(provider, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
