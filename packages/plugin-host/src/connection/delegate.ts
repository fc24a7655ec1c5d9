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

/** A provider that hands all calls but `close` to another one. Cancel goes around nothing: it must always get through. */
export function delegateProvider(inner: Provider, { around, close }: Delegation): Provider {
  const { list, getMapping, getMappings, attach } = inner;
  return {
    handshake: (request) => around('handshake', undefined, () => inner.handshake(request)),
    parameterize: (request) => around('parameterize', undefined, () => inner.parameterize(request)),
    getPluginInfo: () => around('getPluginInfo', undefined, () => inner.getPluginInfo()),
    getSchema: (request) => around('getSchema', undefined, () => inner.getSchema(request)),
    checkConfig: (request) => around('checkConfig', request.urn, () => inner.checkConfig(request)),
    diffConfig: (request) => around('diffConfig', request.urn, () => inner.diffConfig(request)),
    configure: (request) => around('configure', request.urn, () => inner.configure(request)),
    check: (request) => around('check', request.urn, () => inner.check(request)),
    diff: (request) => around('diff', request.urn, () => inner.diff(request)),
    create: (request) => around('create', request.urn, () => inner.create(request)),
    read: (request) => around('read', request.urn, () => inner.read(request)),
    update: (request) => around('update', request.urn, () => inner.update(request)),
    delete: (request) => around('delete', request.urn, () => inner.delete(request)),
    invoke: (request) => around(`invoke of ${request.token}`, undefined, () => inner.invoke(request)),
    construct: (request) => around(`construct of ${request.type}`, undefined, () => inner.construct(request)),
    call: (request) => around(`call of ${request.token}`, undefined, () => inner.call(request)),
    ...(list && { list: (request) => around('list', undefined, () => list.call(inner, request)) }),
    ...(getMapping && {
      getMapping: (request) => around('getMapping', undefined, () => getMapping.call(inner, request)),
    }),
    ...(getMappings && {
      getMappings: (request) => around('getMappings', undefined, () => getMappings.call(inner, request)),
    }),
    ...(attach && { attach: (address) => around('attach', undefined, () => attach.call(inner, address)) }),
    cancel: () => inner.cancel(),
    close,
  };
}
