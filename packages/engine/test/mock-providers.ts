import {
  UNKNOWN_ID,
  isProviderType,
  parseProviderReference,
  providerTypePackage,
  tokenPackage,
  urnName,
  urnType,
} from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { Capabilities, DiffResponse, Provider } from '@cairn/wire';
import type { ProviderSource } from '../src/providers/provider-source.js';

/** What a test changes about a provider; the rest is the default mock of the scenarios. */
export type Behaviour = Partial<
  Pick<Provider, 'check' | 'diff' | 'create' | 'read' | 'update' | 'delete' | 'diffConfig'>
>;

/** One call that reached a provider. */
export interface Call {
  readonly method: string;
  readonly name: string;
  readonly id: string;
  readonly request: unknown;
}

const CAPABILITIES: Capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsPreview: true,
  supportsAutonaming: true,
};

/** A diff answer; nothing but `changes` is usually of interest. */
export function diffOf(changes: DiffResponse['changes'], rest: Partial<DiffResponse> = {}): DiffResponse {
  return {
    changes,
    replaceKeys: [],
    changedKeys: [],
    stableKeys: [],
    detailedDiff: undefined,
    deleteBeforeReplace: false,
    ...rest,
  };
}

/** Replace when one of the keys differs between old and new inputs. */
export function replaceOn(keys: readonly string[], deleteBeforeReplace = false): Required<Behaviour>['diff'] {
  return (request) => {
    const replaceKeys = keys.filter(
      (key) => JSON.stringify(request.oldInputs[key]) !== JSON.stringify(request.news[key]),
    );
    return Promise.resolve(
      replaceKeys.length > 0
        ? diffOf('some', { replaceKeys, changedKeys: replaceKeys, deleteBeforeReplace })
        : diffOf('unknown'),
    );
  };
}

/**
 * Providers of a test world: every package is served by one mock whose behaviour the test may change between
 * operations.
 */
export class MockProviders {
  readonly calls: Call[] = [];
  behaviour: Behaviour = {};
  #ids = 0;

  /** Calls of the methods, as `method name`. */
  called(...methods: readonly string[]): readonly string[] {
    return this.calls
      .filter((call) => methods.includes(call.method))
      .map((call) => `${call.method} ${call.name}`);
  }

  /** A plugin of the package, not configured yet. */
  plugin(pkg: string): Provider {
    const provider = this.#provider(pkg);
    return {
      ...provider,
      diffConfig: this.behaviour.diffConfig ?? provider.diffConfig,
      configure: (request) => {
        this.#note('configure', urnName(request.urn), request.id, request);
        return Promise.resolve(CAPABILITIES);
      },
      close: () => {
        this.#note('close', pkg, '', undefined);
        return Promise.resolve();
      },
    };
  }

  source(base: readonly ResourceEntry[]): ProviderSource {
    const known = new Map<string, ResourceEntry>();
    const note = (entry: ResourceEntry) => known.set(`${entry.urn}::${entry.id}`, entry);
    for (const entry of base) if (isProviderType(entry.type)) note(entry);
    const lifecycle = this.#lifecycle();
    const knows = (reference: ProviderReference) => known.has(reference);
    return {
      forResource: ({ type, provider, urn }) => {
        if (isProviderType(type)) return Promise.resolve(lifecycle);
        if (provider !== undefined && !knows(provider)) {
          const { id } = parseProviderReference(provider);
          if (id !== UNKNOWN_ID)
            throw cairnError('CAIRN-PROVIDER-REFERENCE', `no provider ${provider}`, { urn });
        }
        return Promise.resolve(this.#provider(tokenPackage(type)));
      },
      forReference: (reference) => {
        const { urn } = parseProviderReference(reference);
        return Promise.resolve(this.#provider(providerTypePackage(urnType(urn)) ?? ''));
      },
      changeReplaces: async (from, to) => {
        const [old, next] = [known.get(from), known.get(to)];
        const answer = await lifecycle.diffConfig({
          urn: parseProviderReference(to).urn,
          name: '',
          type: '',
          oldInputs: old?.inputs ?? emptyMap,
          oldOutputs: old?.outputs ?? emptyMap,
          news: next?.inputs ?? emptyMap,
          ignoreChanges: [],
        });
        return answer.changes !== 'none' && answer.replaceKeys.length > 0;
      },
      learn: () => undefined,
      registered: note,
      knows,
      cancel: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }

  #lifecycle(): Provider {
    const base = this.#base('provider');
    const diffConfig: Provider['diffConfig'] =
      this.behaviour.diffConfig ?? (() => Promise.resolve(diffOf('unknown')));
    return {
      ...base,
      diffConfig,
      check: ({ news }) => Promise.resolve({ inputs: news, failures: [] }),
      diff: async (request) => {
        const answer = await diffConfig(request);
        if (answer.changes !== 'unknown') return answer;
        const same = JSON.stringify(request.oldOutputs) === JSON.stringify(request.news);
        return { ...answer, changes: same ? 'none' : 'some' };
      },
      create: ({ inputs, preview, name }) => {
        this.#note('configure', name, '', undefined);
        const id = preview ? '' : `prov-${(this.#ids += 1)}`;
        return Promise.resolve({ id, outputs: inputs, refreshBeforeUpdate: false });
      },
      update: ({ news }) => Promise.resolve({ outputs: news, refreshBeforeUpdate: false }),
      delete: ({ name, id }) => {
        this.#note('close', name, id, undefined);
        return Promise.resolve();
      },
    };
  }

  #provider(pkg: string): Provider {
    const base = this.#base(pkg);
    const { behaviour } = this;
    const noted = <M extends keyof Behaviour>(
      method: M,
      answer: Required<Behaviour>[M],
    ): Required<Behaviour>[M] =>
      ((request: { urn: ResourceEntry['urn']; id?: string }) => {
        this.#note(method, urnName(request.urn), request.id ?? '', request);
        return (behaviour[method] ?? answer)(request as never);
      }) as Required<Behaviour>[M];
    return {
      ...base,
      check: noted('check', ({ news }) => Promise.resolve({ inputs: news, failures: [] })),
      diff: noted('diff', () => Promise.resolve(diffOf('unknown'))),
      create: noted('create', ({ inputs, preview }) =>
        Promise.resolve({
          id: preview ? '' : `id-${(this.#ids += 1)}`,
          outputs: inputs,
          refreshBeforeUpdate: false,
        }),
      ),
      read: noted('read', ({ id, inputs, state }) =>
        Promise.resolve({
          id,
          inputs: inputs ?? emptyMap,
          outputs: state ?? emptyMap,
          refreshBeforeUpdate: false,
        }),
      ),
      update: noted('update', ({ news }) => Promise.resolve({ outputs: news, refreshBeforeUpdate: false })),
      delete: noted('delete', () => Promise.resolve()),
    };
  }

  #note(method: string, name: string, id: string, request: unknown): void {
    this.calls.push({ method, name, id, request });
  }

  #base(pkg: string): Provider {
    const refuse = (what: string) => () =>
      Promise.reject(
        new ProviderError('UNIMPLEMENTED', `the mock of ${providerTypePackage(pkg) ?? pkg} has no ${what}`),
      );
    return {
      handshake: () => Promise.resolve(CAPABILITIES),
      parameterize: refuse('parameterize'),
      getPluginInfo: () => Promise.resolve({ version: '1.0.0' }),
      getSchema: refuse('schema'),
      checkConfig: ({ news }) => Promise.resolve({ inputs: news, failures: [] }),
      diffConfig: () => Promise.resolve(diffOf('unknown')),
      configure: () => Promise.resolve(CAPABILITIES),
      check: refuse('check'),
      diff: refuse('diff'),
      create: refuse('create'),
      read: refuse('read'),
      update: refuse('update'),
      delete: refuse('delete'),
      invoke: refuse('invoke'),
      construct: refuse('construct'),
      call: refuse('call'),
      cancel: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }
}
