import type { Urn } from '@cairn/addresses';
import type { Provider } from '@cairn/wire';

/** Makes one call; `name` is for messages. */
export type Around = <T>(name: string, urn: Urn | undefined, call: () => Promise<T>) => Promise<T>;

/** What a delegate does itself. */
export interface Delegation {
  readonly around: Around;
  readonly close: () => Promise<void>;
}

/** Makes every call as it is. */
export const directly: Around = (_name, _urn, call) => call();

/**
 * A provider that hands all calls but `close` to another one, and has the methods that the other one has. Cancel goes
 * around nothing: it must always get through.
 */
export function delegateProvider(inner: Provider, { around, close }: Delegation): Provider {
  // Methods that need not be there are only kept when they are: below, they count as present.
  const given = inner as Required<Provider>;
  // Every method of the contract: one that is forgotten here does not compile.
  const all: Required<Provider> = {
    handshake: (request) => around('handshake', undefined, () => given.handshake(request)),
    parameterize: (request) => around('parameterize', undefined, () => given.parameterize(request)),
    getPluginInfo: () => around('getPluginInfo', undefined, () => given.getPluginInfo()),
    getSchema: (request) => around('getSchema', undefined, () => given.getSchema(request)),
    checkConfig: (request) => around('checkConfig', request.urn, () => given.checkConfig(request)),
    diffConfig: (request) => around('diffConfig', request.urn, () => given.diffConfig(request)),
    configure: (request) => around('configure', request.urn, () => given.configure(request)),
    check: (request) => around('check', request.urn, () => given.check(request)),
    diff: (request) => around('diff', request.urn, () => given.diff(request)),
    create: (request) => around('create', request.urn, () => given.create(request)),
    read: (request) => around('read', request.urn, () => given.read(request)),
    update: (request) => around('update', request.urn, () => given.update(request)),
    delete: (request) => around('delete', request.urn, () => given.delete(request)),
    invoke: (request) => around(`invoke of ${request.token}`, undefined, () => given.invoke(request)),
    construct: (request) => around(`construct of ${request.type}`, undefined, () => given.construct(request)),
    call: (request) => around(`call of ${request.token}`, undefined, () => given.call(request)),
    list: (request) => around('list', undefined, () => given.list(request)),
    getMapping: (request) => around('getMapping', undefined, () => given.getMapping(request)),
    getMappings: (request) => around('getMappings', undefined, () => given.getMappings(request)),
    attach: (address) => around('attach', undefined, () => given.attach(address)),
    extras: () => around('extras', undefined, () => given.extras()),
    lookup: (request) => around('lookup', request.urn, () => given.lookup(request)),
    endPass: () => given.endPass(),
    ended: () => given.ended(),
    cancel: () => given.cancel(),
    close,
  };
  for (const name of Object.keys(all) as (keyof Provider)[]) {
    if (name !== 'close' && inner[name] === undefined) Reflect.deleteProperty(all, name);
  }
  return all;
}
