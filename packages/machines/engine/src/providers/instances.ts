import { UNKNOWN_ID, makeProviderReference, providerTypePackage, urnName } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { PluginSpec, Provider, ResourceIdentity } from '@cairn/wire';
import { configured } from './configure.js';
import type { ProviderSettings } from './configure.js';
import { pluginSpec, readPackage, sameSpec } from './package-request.js';
import type { ReadyProvider } from './ready-provider.js';

/** Started plugin whose settings are being checked. It becomes an instance when it is configured. */
interface Candidate {
  readonly plugin: Provider;
  readonly spec: PluginSpec;
  /** Inputs of the prior entry. An unchanged provider is configured with them. */
  readonly olds: PropertyMap | undefined;
}

/**
 * Plugin with settings. `ready` resolves to the provider to use, or rejects with the reason why it could not be
 * configured.
 */
interface Instance {
  readonly plugin: Promise<Provider>;
  readonly ready: Promise<ReadyProvider>;
}

/** Dependencies of {@link Instances}. */
interface InstanceOptions {
  readonly preview: boolean;
  readonly load: (spec: PluginSpec) => Promise<Provider>;
}

/**
 * Started plugins of one operation. Every provider reference has its own plugin. Configuring does not wait: the first
 * user of an instance waits for it and receives its error [PLUG-7].
 */
export class Instances {
  readonly #candidates = new Map<Urn, Candidate>();
  readonly #instances = new Map<ProviderReference, Instance>();
  /** Every plugin that was started and not closed. */
  readonly #open = new Set<Provider>();
  #closing = false;
  readonly #options: InstanceOptions;

  constructor(options: InstanceOptions) {
    this.#options = options;
  }

  /** Starts the plugin for new settings of a provider, once for both checks of a replacement. */
  async prepare(
    request: Pick<ResourceIdentity, 'urn' | 'type'> & {
      readonly olds: PropertyMap | undefined;
      readonly news: PropertyMap;
    },
  ): Promise<Candidate> {
    const { urn, olds, news } = request;
    const { request: pkg, envVarMappings } = readPackage(packageOf(request.type), news);
    const spec = pluginSpec(pkg, envVarMappings, urn);
    const previous = this.#candidates.get(urn);
    const usable = previous !== undefined && sameSpec(previous.spec, spec);
    if (previous !== undefined && !usable) await this.#close(previous.plugin);
    const plugin = usable ? previous.plugin : await this.#load(spec);
    const candidate = { plugin, spec, olds: olds ?? previous?.olds };
    this.#candidates.set(urn, candidate);
    return candidate;
  }

  candidate(urn: Urn): Candidate | undefined {
    return this.#candidates.get(urn);
  }

  /**
   * Configures the checked plugin of a provider and stores it under its reference. The previous instance there is
   * closed at the end.
   */
  async start(settings: Omit<ProviderSettings, 'id'>, id: string): Promise<void> {
    const { urn, name, type, inputs } = settings;
    const { plugin } =
      this.#candidates.get(urn) ?? (await this.prepare({ urn, type, olds: undefined, news: inputs }));
    this.#candidates.delete(urn);
    this.#put(makeProviderReference(urn, id), Promise.resolve(plugin), { urn, name, type, id, inputs });
  }

  /**
   * Configures the checked plugin of an unchanged provider with its old inputs [PROV-1]. If a plugin was already
   * started for its entry, that one keeps running instead.
   */
  async keep(entry: ResourceEntry): Promise<void> {
    const candidate = this.#candidates.get(entry.urn);
    if (candidate === undefined) return;
    this.#candidates.delete(entry.urn);
    const reference = makeProviderReference(entry.urn, entry.id);
    if (this.#instances.has(reference)) await this.#close(candidate.plugin);
    else
      this.#put(
        reference,
        Promise.resolve(candidate.plugin),
        settingsFor(entry, candidate.olds ?? entry.inputs),
      );
  }

  has(reference: ProviderReference): boolean {
    return this.#instances.has(reference);
  }

  /**
   * Returns the provider under a reference and starts it from its entry if it is not running. A renamed provider is the
   * same as the one with its old name.
   */
  ready(
    reference: ProviderReference,
    entry: () => ResourceEntry | undefined,
  ): Promise<ReadyProvider> | undefined {
    const known = entry();
    const own = known === undefined ? reference : makeProviderReference(known.urn, known.id || UNKNOWN_ID);
    const running = this.#instances.get(own);
    if (running !== undefined) return running.ready;
    if (known === undefined) return undefined;
    const { request, envVarMappings } = readPackage(packageOf(known.type), known.inputs);
    const plugin = this.#load(pluginSpec(request, envVarMappings, known.urn));
    return this.#put(own, plugin, settingsFor(known, known.inputs)).ready;
  }

  /** Closes the plugin under a reference and forgets it. */
  async drop(reference: ProviderReference): Promise<void> {
    const instance = this.#instances.get(reference);
    if (instance === undefined) return;
    this.#instances.delete(reference);
    await instance.plugin.then(
      (plugin) => this.#close(plugin),
      () => undefined,
    );
  }

  async cancel(): Promise<void> {
    await Promise.all([...this.#open].map((plugin) => plugin.cancel().catch(() => undefined)));
  }

  /** Closes everything. A plugin that is still starting is closed as soon as it has started. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#open].map((plugin) => this.#close(plugin)));
  }

  #put(reference: ProviderReference, plugin: Promise<Provider>, settings: ProviderSettings): Instance {
    const ready = plugin.then((started) => configured(started, settings, this.#options.preview));
    ready.catch(() => undefined);
    const instance = { plugin, ready };
    this.#instances.set(reference, instance);
    return instance;
  }

  async #load(spec: PluginSpec): Promise<Provider> {
    const plugin = await this.#options.load(spec);
    this.#open.add(plugin);
    if (this.#closing) await this.#close(plugin);
    return plugin;
  }

  async #close(plugin: Provider): Promise<void> {
    if (this.#open.delete(plugin)) await plugin.close().catch(() => undefined);
  }
}

function settingsFor(entry: ResourceEntry, inputs: PropertyMap): ProviderSettings {
  return { urn: entry.urn, name: urnName(entry.urn), type: entry.type, id: entry.id, inputs };
}

function packageOf(type: string): string {
  return providerTypePackage(type) ?? type;
}
