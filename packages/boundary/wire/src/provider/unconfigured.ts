import { containsUnknown, emptyMap, withoutProperty } from '@cairn/values';
import type { ProviderCallName, RequestOf, ResponseOf } from '../contracts/provider-calls.js';
import type { Capabilities, Provider } from '../contracts/provider.js';
import { ProviderError } from '../contracts/provider-errors.js';
import { intercept } from '../intercept/provider.js';

const UNCONFIGURED: Capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsPreview: true,
  supportsAutonaming: false,
};

/** Provider that answers without the plugin while its settings are unknown. */
export interface DeferringProvider extends Provider {
  /** True if `configure` was called in a preview with settings that are not known yet. */
  readonly unconfigured: boolean;
}

/** Responses in place of a provider that has no settings. Calls without a row are passed to the provider. */
const RESPONSES: { readonly [C in ProviderCallName]?: (request: RequestOf<C>) => ResponseOf<C> } = {
  check: ({ news }) => ({ inputs: news, failures: [] }),
  diff: () => ({
    changes: 'some',
    replaceKeys: [],
    changedKeys: [],
    stableKeys: [],
    detailedDiff: undefined,
    deleteBeforeReplace: false,
  }),
  create: () => ({ id: '', outputs: emptyMap, refreshBeforeUpdate: false }),
  read: ({ id, inputs }) => ({ id, inputs, outputs: emptyMap, refreshBeforeUpdate: false }),
  update: () => ({ outputs: emptyMap, refreshBeforeUpdate: false }),
  delete: ({ urn }) => refuse(`delete ${urn}`),
  invoke: () => ({ result: emptyMap, failures: [] }),
  construct: ({ name }) => refuse(`construct ${name}`),
  call: () => ({ result: emptyMap, resultDependencies: {}, failures: [] }),
  list: () => ({ computed: true, results: [], continuationToken: '' }),
};

function refuse(what: string): never {
  throw new ProviderError(
    'FAILED_PRECONDITION',
    `cannot ${what}: the settings of the provider are not known yet`,
  );
}

/**
 * Withholds unknown settings from a provider: it is not configured then, and calls about resources are answered in its
 * place [PROV-13]. Check returns the inputs, diff reports some change, create and update return no outputs. `construct`
 * is refused; the engine registers an empty component instead. Calls that only make sense outside a preview are refused
 * as well.
 */
export function deferUnknownSettings(provider: Provider): DeferringProvider {
  let unconfigured = false;
  const deferring = intercept(provider, async (call, request, next) => {
    const respond = unconfigured ? RESPONSES[call] : undefined;
    return respond === undefined ? next(request) : respond(request);
  });
  return {
    ...deferring,
    get unconfigured() {
      return unconfigured;
    },
    async configure(request) {
      unconfigured = containsUnknown(withoutProperty(request.inputs, 'version'));
      return unconfigured ? UNCONFIGURED : provider.configure(request);
    },
  };
}
