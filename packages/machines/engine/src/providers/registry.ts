import {
  isProviderType,
  makeProviderReference,
  parseProviderReference,
  UNKNOWN_ID,
  urnName,
} from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { fail } from '@cairn/diagnostics';
import type { Extension, ResourceEntry } from '@cairn/state';
import { intercept, mapFields } from '@cairn/wire';
import type { PluginSpec, Provider } from '@cairn/wire';
import { emptyMap, plainReferencesMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { OperationRequest } from '../model/request.js';
import type { EnginePorts } from '../ports.js';
import { builtinProvider } from './builtin/builtin-provider.js';
import { asksForReplacement, diffConfig } from './diff-config.js';
import { Extensions } from './extensions.js';
import { Instances } from './instances.js';
import { LIFECYCLE_CAPABILITIES, providerLifecycle, providerSettings } from './lifecycle.js';
import { withoutInternal } from './package-request.js';
import type { ProviderSource } from './provider-source.js';
import { readyProvider } from './ready-provider.js';
import type { ReadyProvider } from './ready-provider.js';

/** Dependencies of the providers of one operation. */
interface ProviderSourceOptions {
  readonly request: Pick<OperationRequest, 'base' | 'preview' | 'withoutReferences'>;
  readonly ports: Pick<EnginePorts, 'providers' | 'newId' | 'stackOutputs' | 'stackResources' | 'emit'>;
  /** Returns the entry of a resource that this run has registered or read, with its outputs. Undefined before that. */
  readonly entry: (urn: Urn) => ResourceEntry | undefined;
  /** Called for an extension that resources of this run need and the base does not contain. */
  readonly onExtension?: ((ref: string, extension: Extension) => void) | undefined;
}

/** Package that the engine serves itself [PROV-8]. */
export const BUILTIN = 'pulumi';

/** Creates the providers of one operation: those of the run, and the needed ones of the base snapshot. */
export function createProviderSource({
  request,
  ports,
  entry,
  onExtension = () => {},
}: ProviderSourceOptions): ProviderSource {
  const load = async (spec: PluginSpec): Promise<Provider> => {
    if (spec.package === BUILTIN) return builtinProvider({ ports, entry });
    const provider = await ports.providers.load(spec);
    return request.withoutReferences === true ? withoutReferences(provider) : provider;
  };
  const { base, preview } = request;
  const extensions = new Extensions({ base: base.extensions ?? {}, onUsed: onExtension });
  return new Registry(new Instances({ preview, load }), extensions, base.resources, ports);
}

class Registry implements ProviderSource {
  readonly #lifecycle: ReadyProvider;
  /** Provider entries of this run, by reference. */
  readonly #registered = new Map<ProviderReference, ResourceEntry>();
  #prior: ReadonlyMap<ProviderReference, ResourceEntry> | undefined;
  readonly #instances: Instances;
  readonly #extensions: Extensions;
  readonly #base: readonly ResourceEntry[];

  constructor(
    instances: Instances,
    extensions: Extensions,
    base: readonly ResourceEntry[],
    { newId, emit }: Pick<EnginePorts, 'newId' | 'emit'>,
  ) {
    this.#instances = instances;
    this.#extensions = extensions;
    this.#base = base;
    const lifecycle = providerLifecycle(instances, newId, (diagnostic) =>
      emit({ t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false }),
    );
    this.#lifecycle = readyProvider(lifecycle, {
      capabilities: LIFECYCLE_CAPABILITIES,
      unconfigured: false,
      settings: emptyMap,
      preview: false,
    });
  }

  forResource(resource: {
    readonly type: string;
    readonly provider: ProviderReference | undefined;
    readonly urn: Urn;
    readonly extensionRef?: string | undefined;
  }): Promise<ReadyProvider> {
    const { type, provider, urn, extensionRef } = resource;
    if (isProviderType(type)) return Promise.resolve(this.#lifecycle);
    return provider === undefined ? namesNone(type, urn) : this.forReference(provider, urn, extensionRef);
  }

  /** Returns the promise of the instance itself where that is the answer, because every call needs it. */
  forReference(reference: ProviderReference, neededBy: Urn, extensionRef = ''): Promise<ReadyProvider> {
    const ready = this.#instances.ready(reference, () => this.#entry(reference));
    if (ready === undefined) return isUnknown(reference, neededBy);
    return extensionRef === '' ? ready : this.#extended(ready, extensionRef, neededBy);
  }

  async #extended(
    ready: Promise<ReadyProvider>,
    extensionRef: string,
    neededBy: Urn,
  ): Promise<ReadyProvider> {
    return this.#extensions.applied(await ready, extensionRef, neededBy);
  }

  learn(ref: string, extension: Extension): void {
    this.#extensions.learn(ref, extension);
  }

  async changeReplaces(from: ProviderReference, to: ProviderReference): Promise<boolean> {
    const { urn } = parseProviderReference(to);
    const old = this.#entry(from) ?? unknownReference(from, urn);
    const next = this.#entry(to) ?? unknownReference(to, urn);
    const provider = await this.forReference(to, urn);
    const answer = await diffConfig(provider, {
      urn,
      name: urnName(urn),
      type: next.type,
      oldInputs: withoutInternal(old.inputs),
      oldOutputs: providerSettings(old.inputs, old.outputs),
      news: withoutInternal(next.inputs),
      ignoreChanges: [],
    });
    return asksForReplacement(answer);
  }

  registered(entry: ResourceEntry): void {
    if (!isProviderType(entry.type)) return;
    this.#registered.set(makeProviderReference(entry.urn, entry.id || UNKNOWN_ID), entry);
    void this.#instances.keep(entry);
    for (const alias of entry.aliases) this.#registered.set(makeProviderReference(alias, entry.id), entry);
  }

  knows(reference: ProviderReference): boolean {
    return this.#instances.has(reference) || this.#entry(reference) !== undefined;
  }

  async cancel(): Promise<void> {
    await this.#instances.cancel();
  }

  async close(): Promise<void> {
    await this.#instances.close();
  }

  #entry(reference: ProviderReference): ResourceEntry | undefined {
    return this.#registered.get(reference) ?? this.#priorEntries().get(reference);
  }

  #priorEntries(): ReadonlyMap<ProviderReference, ResourceEntry> {
    this.#prior ??= new Map(
      this.#base
        .filter(({ type }) => isProviderType(type))
        .map((entry) => [makeProviderReference(entry.urn, entry.id), entry]),
    );
    return this.#prior;
  }
}

async function namesNone(type: string, urn: Urn): Promise<never> {
  return fail('CAIRN-PROVIDER-REFERENCE', `the entry of ${type} "${urnName(urn)}" does not name a provider`, {
    urn,
    hint: 'Run an operation with the program, which gives it one, or repair the state.',
  });
}

async function isUnknown(reference: ProviderReference, urn: Urn): Promise<never> {
  return unknownReference(reference, urn);
}

function unknownReference(reference: ProviderReference, urn: Urn): never {
  return fail('CAIRN-PROVIDER-REFERENCE', `unknown provider reference ${reference}`, {
    urn,
    hint: 'Pass a provider that this program has registered.',
  });
}

/** Maps that contain references which a provider may not receive. Settings always keep their references [PROV-14]. */
const REDUCED = mapFields('request', ['properties', 'outputs']);

/** Wraps a provider that does not accept references to resources: it gets ids and URNs [VAL-10]. */
function withoutReferences(provider: Provider): Provider {
  return intercept(provider, (call, request, next) => next(reduced(request, REDUCED[call])));
}

function reduced<T>(request: T, fields: readonly string[]): T {
  if (fields.length === 0) return request;
  const maps = fields.map((field) => {
    const map = (request as Readonly<Record<string, PropertyMap | undefined>>)[field];
    return [field, map && plainReferencesMap(map)];
  });
  return { ...request, ...Object.fromEntries(maps) };
}
