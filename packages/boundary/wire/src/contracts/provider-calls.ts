import type { PropertyMap } from '@cairn/values';
import type { Requests, Responses } from './calls.js';
import type { Provider } from './provider.js';

/** Name of a member of {@link Provider} for the life cycle of the instance. */
export type LifeMember = 'endPass' | 'ended' | 'cancel' | 'close';

/** Name of a method of {@link Provider} that answers a request. */
export type ProviderCallName = Exclude<keyof Provider, LifeMember>;

/** Request of a call; `undefined` for a call without one. */
export type RequestOf<C extends ProviderCallName> = Requests<Provider, ProviderCallName>[C];

/** Response to a call. */
export type ResponseOf<C extends ProviderCallName> = Responses<Provider, ProviderCallName>[C];

/**
 * Content of a map in a request or a response: settings of the provider, properties of anything else, or `outputs`. The
 * last repeats the properties of another field with their output values.
 */
type MapContent = 'settings' | 'properties' | 'outputs';

/** Row of {@link PROVIDER_CALLS}. */
interface ProviderCallRow {
  /** Content of the request's maps, by field. Defaults to none. */
  readonly request?: Readonly<Record<string, MapContent>> | undefined;
  /** Content of the response's maps, by field. Defaults to none. */
  readonly response?: Readonly<Record<string, MapContent>> | undefined;
  /** Field of the request that names its subject. Defaults to none. */
  readonly about?: 'urn' | 'token' | 'type' | undefined;
  /**
   * Lasting effect: settings or another package in the instance, an object outside, or resources that a component
   * registers. Defaults to none.
   */
  readonly effect?: 'settings' | 'package' | 'object' | 'component' | undefined;
  /** True if a provider need not have the method. Defaults to false. */
  readonly optional?: boolean | undefined;
}

/** All calls of a provider. A row names each map of the request and of the response; a missing one does not compile. */
export const PROVIDER_CALLS: Readonly<Record<ProviderCallName, ProviderCallRow>> = {
  handshake: {},
  parameterize: { effect: 'package' },
  getPluginInfo: {},
  getSchema: {},
  checkConfig: {
    about: 'urn',
    request: { olds: 'settings', news: 'settings' },
    response: { inputs: 'settings' },
  },
  diffConfig: {
    about: 'urn',
    request: { oldInputs: 'settings', oldOutputs: 'settings', news: 'settings' },
  },
  configure: { about: 'urn', request: { inputs: 'settings' }, effect: 'settings' },
  check: {
    about: 'urn',
    request: { olds: 'properties', oldOutputs: 'properties', news: 'properties', newsWithOutputs: 'outputs' },
    response: { inputs: 'properties' },
  },
  diff: {
    about: 'urn',
    request: { oldInputs: 'properties', oldOutputs: 'properties', news: 'properties' },
  },
  create: {
    about: 'urn',
    request: { inputs: 'properties' },
    response: { outputs: 'properties' },
    effect: 'object',
  },
  read: {
    about: 'urn',
    request: { inputs: 'properties', state: 'properties' },
    response: { inputs: 'properties', outputs: 'properties' },
  },
  update: {
    about: 'urn',
    request: { oldInputs: 'properties', oldOutputs: 'properties', news: 'properties' },
    response: { outputs: 'properties' },
    effect: 'object',
  },
  delete: {
    about: 'urn',
    request: { oldInputs: 'properties', oldOutputs: 'properties' },
    effect: 'object',
  },
  invoke: {
    about: 'token',
    request: { args: 'properties', argsWithOutputs: 'outputs' },
    response: { result: 'properties' },
  },
  construct: {
    about: 'type',
    request: { inputs: 'properties' },
    response: { outputs: 'properties' },
    effect: 'component',
  },
  call: {
    about: 'token',
    request: { args: 'properties' },
    response: { result: 'properties' },
    effect: 'component',
  },
  extras: { optional: true },
  lookup: { about: 'urn', request: { inputs: 'properties' }, optional: true },
  list: { about: 'token', request: { query: 'properties' }, optional: true },
  getMapping: { optional: true },
  getMappings: { optional: true },
  attach: { optional: true },
} satisfies { readonly [C in ProviderCallName]: RowOf<C> };

/** Names of all calls. */
export const PROVIDER_CALL_NAMES = Object.keys(PROVIDER_CALLS) as readonly ProviderCallName[];

/** Returns the fields of each call's requests, or of its responses, whose maps have one of the contents. */
export function mapFields(
  side: 'request' | 'response',
  contents: readonly MapContent[],
): Readonly<Record<ProviderCallName, readonly string[]>> {
  const rows = PROVIDER_CALL_NAMES.map((call) => {
    const fields = Object.entries(PROVIDER_CALLS[call][side] ?? {});
    return [call, fields.filter(([, content]) => contents.includes(content)).map(([field]) => field)];
  });
  return Object.fromEntries(rows) as Record<ProviderCallName, readonly string[]>;
}

/** Returns the subject of a request: a URN, a token or a type. `undefined` for a call about the package as a whole. */
export function callSubject(call: ProviderCallName, request: unknown): string | undefined {
  const { about } = PROVIDER_CALLS[call];
  return about && (request as Readonly<Record<string, string>>)[about];
}

/** Row that fits a method of the contract. */
type RowOf<C extends ProviderCallName> = Pick<ProviderCallRow, 'effect'> &
  ColumnOf<'request', MapsOf<RequestOf<C>>> &
  ColumnOf<'response', MapsOf<ResponseOf<C>>> &
  AboutOf<RequestOf<C>> &
  (undefined extends Provider[C] ? { readonly optional: true } : { readonly optional?: undefined });

type ColumnOf<Side extends string, Fields extends string> = [Fields] extends [never]
  ? { readonly [S in Side]?: undefined }
  : { readonly [S in Side]: Readonly<Record<Fields, MapContent>> };

/** Fields that hold properties. */
type MapsOf<T> = T extends string | readonly unknown[] | undefined
  ? never
  : { [K in keyof T]-?: PropertyMap extends T[K] ? K & string : never }[keyof T];

type AboutOf<R> = R extends { readonly urn: string }
  ? { readonly about: 'urn' }
  : R extends { readonly token: string }
    ? { readonly about: 'token' }
    : R extends { readonly type: string }
      ? { readonly about: 'type' }
      : { readonly about?: undefined };
