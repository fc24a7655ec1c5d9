import { containsUnknown, emptyMap, withoutProperty } from '@cairn/values';
import type { Capabilities, ConfigureRequest, Provider } from '../contracts/provider.js';
import { ProviderError } from '../contracts/provider-errors.js';

const UNCONFIGURED: Capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsPreview: true,
  supportsAutonaming: false,
};

/** A provider that answers by itself while its settings are not known. */
export interface DeferringProvider extends Provider {
  /** Whether `configure` was asked with settings that are not known yet, in a preview. */
  readonly unconfigured: boolean;
}

/**
 * Keeps settings that are not known from a provider: it is not configured then, and calls about resources are answered
 * for it [PROV-13]: check gives back the inputs, diff reports some change, create and update know nothing of the
 * outputs. `construct` is refused; the engine registers an empty component instead. Calls that only make sense outside
 * a preview are refused as well.
 */
export function deferUnknownSettings(provider: Provider): DeferringProvider {
  let unconfigured = false;
  const unless = <T>(answer: () => T, ask: () => Promise<T>): Promise<T> =>
    unconfigured ? Promise.resolve().then(answer) : ask();
  const refuse = (what: string): never => {
    throw new ProviderError(
      'FAILED_PRECONDITION',
      `cannot ${what}: the settings of the provider are not known yet`,
    );
  };
  const deferring: Omit<DeferringProvider, keyof Provider> & Partial<Provider> = {
    get unconfigured() {
      return unconfigured;
    },
    async configure(request: ConfigureRequest) {
      unconfigured = containsUnknown(withoutProperty(request.inputs, 'version'));
      return unconfigured ? UNCONFIGURED : provider.configure(request);
    },
    check: (request) =>
      unless(
        () => ({ inputs: request.news, failures: [] }),
        () => provider.check(request),
      ),
    diff: (request) =>
      unless(
        () => ({
          changes: 'some',
          replaceKeys: [],
          changedKeys: [],
          stableKeys: [],
          detailedDiff: undefined,
          deleteBeforeReplace: false,
        }),
        () => provider.diff(request),
      ),
    create: (request) =>
      unless(
        () => ({ id: '', outputs: emptyMap, refreshBeforeUpdate: false }),
        () => provider.create(request),
      ),
    read: (request) =>
      unless(
        () => ({ id: request.id, inputs: request.inputs, outputs: emptyMap, refreshBeforeUpdate: false }),
        () => provider.read(request),
      ),
    update: (request) =>
      unless(
        () => ({ outputs: emptyMap, refreshBeforeUpdate: false }),
        () => provider.update(request),
      ),
    delete: (request) =>
      unless(
        () => refuse(`delete ${request.urn}`),
        () => provider.delete(request),
      ),
    invoke: (request) =>
      unless(
        () => ({ result: emptyMap, failures: [] }),
        () => provider.invoke(request),
      ),
    construct: (request) =>
      unless(
        () => refuse(`construct ${request.name}`),
        () => provider.construct(request),
      ),
    call: (request) =>
      unless(
        () => ({ result: emptyMap, resultDependencies: {}, failures: [] }),
        () => provider.call(request),
      ),
    list: (request) =>
      unless(
        () => ({ computed: true, results: [], continuationToken: '' }),
        async () =>
          (await provider.list?.(request)) ?? { computed: false, results: [], continuationToken: '' },
      ),
  };
  // Everything else goes through, bound to the provider so that its private state is its own.
  return new Proxy(provider, {
    get(target, name) {
      if (name in deferring) return Reflect.get(deferring, name);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
    has: (target, name) => name in deferring || name in target,
  }) as DeferringProvider;
}
