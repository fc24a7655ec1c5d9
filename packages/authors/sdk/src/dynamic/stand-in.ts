import { DYNAMIC_PROVIDER } from './brand.js';

/** Throws for a function of the SDK that needs a running program. */
function refuse(name: string): never {
  throw new Error(
    `${name} of @cairn/sdk needs a running program, but a stored module is used without one: ` +
      'pass values of the program run as inputs, or name them in `config`',
  );
}

/** Returns a replacement for a name of the SDK that can be imported and extended, but not used. */
function placeholder(name: string): object {
  return new Proxy(class {}, {
    construct: () => refuse(`new ${name}`),
    apply: () => refuse(name),
    get: (target, key, receiver): unknown =>
      typeof key === 'symbol' || key in target
        ? Reflect.get(target, key, receiver)
        : placeholder(`${name}.${key}`),
  });
}

const OFFERED: Readonly<Record<string, unknown>> = {
  __esModule: true,
  dynamicProvider: (definition: object) => ({
    [DYNAMIC_PROVIDER]: { definition, site: undefined, defined: new Error() },
  }),
  dynamicResource: (type: string) => placeholder(type),
};

/** Bundlers copy a module's own names and keep its prototype. */
const others: object = new Proxy(
  {},
  {
    get: (_target, key): unknown =>
      typeof key === 'symbol' || key === 'then' ? undefined : placeholder(key),
  },
);

/** Replaces `@cairn/sdk` in stored modules. Functions that define providers work; everything else needs a run. */
export const standIn: object = Object.assign(Object.create(others) as object, OFFERED);
