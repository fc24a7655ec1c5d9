import { pathToFileURL } from 'node:url';
import {
  cairnError,
  isCairnError,
  isOutOfDescriptors,
  messageOf,
  outOfDescriptors,
} from '@cairn/diagnostics';
import { intercept } from '@cairn/wire';
import type { Analyzer, AnalyzerStack, HandshakeRequest, PluginSpec, Provider } from '@cairn/wire';
import { StreamCaller, watchedCaller } from '@cairn/wire/caller';
import { ProviderClient } from '@cairn/wire/provider-client';
import { within } from '@cairn/processes';
import { directly, through } from './connection/around.js';
import type { Around } from './connection/around.js';
import { greet } from './connection/greet.js';
import { watchForDeath } from './connection/death-watch.js';
import { isOfProgram } from './discovery/dynamic-provider.js';
import { createPluginFinder } from './discovery/find-plugin.js';
import type { PluginFinder } from './discovery/find-plugin.js';
import type { PluginLocation } from './discovery/plugin-location.js';
import { isOwnPackage } from './discovery/provider-package-location.js';
import type { CallMarks } from './in-process/call-marks.js';
import { addressKindOf } from './language/language-for.js';
import { PluginOutput } from './launch/plugin-output.js';
import type { ProcessLocation } from './launch/plugin-process.js';
import { startError } from './launch/start-error.js';
import type { LaunchContext } from './launch/start-error.js';
import { DEFAULT_PLUGIN_LIMITS } from './options.js';
import type {
  AddressKind,
  PeerAddresses,
  PluginHostOptions,
  PluginLimits,
  PluginMessage,
} from './options.js';
import { pluginName } from './plugin-spec.js';
import { readSettings } from './settings.js';
import type { PluginSettings } from './settings.js';

/** Provider that a host has started, or found running. */
export interface StartedProvider extends Provider {
  /**
   * Returns true if it still accepts calls: its process, which the host has started, runs. A running plugin that the
   * environment names belongs to another program.
   */
  runs(): boolean;
}

/** Finds, starts and stops plugins. */
export interface PluginHost {
  /**
   * Loads an instance of its own for every call: found, started, greeted (handshake, plugin info, parameterize), not
   * configured. Its `close` ends the process. Fails with CAIRN-PLUGIN-NOT-FOUND or CAIRN-PLUGIN-START, and then leaves
   * no process running.
   */
  load(spec: PluginSpec): Promise<StartedProvider>;
  /**
   * Starts the policy pack in a directory, greets it and sends it the stack. Its `close` ends the process. Fails with
   * CAIRN-POLICY-PACK, and then leaves no process running.
   */
  loadPolicyPack(path: string, stack: AnalyzerStack): Promise<Analyzer>;
  /** Closes all instances. No process is left after it. Never throws. */
  close(): Promise<void>;
  /** Number of running plugin processes. */
  readonly processes: number;
  /** Ends everything without notice and without waiting, as a crash would. Never throws. */
  kill(): Promise<void>;
}

/** Makes a plugin host. Fails (CAIRN-USAGE) when the environment's settings cannot be read. */
export function createPluginHost(options: PluginHostOptions): PluginHost {
  const settings = readSettings(options.environment);
  const outOfProcess = settings.outOfProcess || options.observed?.asProcesses === true;
  return new Host(options, { ...settings, outOfProcess }, { ...DEFAULT_PLUGIN_LIMITS, ...options.limits });
}

type InProcess = Extract<PluginLocation, { kind: 'in-process' }>;

/** Means to call and to end an instance. */
interface InstanceParts extends Pick<StartedProvider, 'runs' | 'close'> {
  readonly around: Around;
}

class Host implements PluginHost {
  readonly #find: PluginFinder;
  readonly #instances = new Set<Provider>();
  readonly #packs = new Set<Analyzer>();
  readonly #loading = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly #launched = new Set<Provider>();
  #abrupt = false;
  #marks: CallMarks | undefined;
  readonly #options: PluginHostOptions;
  readonly #settings: PluginSettings;
  readonly #limits: PluginLimits;

  constructor(options: PluginHostOptions, settings: PluginSettings, limits: PluginLimits) {
    this.#options = options;
    this.#settings = settings;
    this.#limits = limits;
    this.#find = createPluginFinder(options, settings, (plugin, text) => this.#say('warning', plugin, text));
  }

  load(spec: PluginSpec): Promise<StartedProvider> {
    return this.#whileLoading(this.#loadOne(spec));
  }

  loadPolicyPack(path: string, stack: AnalyzerStack): Promise<Analyzer> {
    return this.#whileLoading(this.#startPack(path, stack));
  }

  async #startPack(path: string, stack: AnalyzerStack): Promise<Analyzer> {
    const options = this.#options;
    const limits = this.#limits;
    const { startPolicyPack } = await import('./policy/policy-pack.js');
    const pack = await startPolicyPack(
      {
        options,
        limits,
        engineAddress: (knows) => this.#addresses(knows).engine,
        stack,
        signal: this.#closing.signal,
        onDeath: (name, text) => this.#say('error', name, text),
      },
      path,
    );
    this.#packs.add(pack);
    return pack;
  }

  async #whileLoading<T>(loading: Promise<T>): Promise<T> {
    const settled = loading.then(
      () => undefined,
      () => undefined,
    );
    this.#loading.add(settled);
    return loading.finally(() => this.#loading.delete(settled));
  }

  async #loadOne(spec: PluginSpec): Promise<StartedProvider> {
    if (this.#closing.signal.aborted)
      throw cairnError('CAIRN-CANCELLED', 'cannot start a provider: the operation is ending');
    const location = await this.#find(spec);
    return this.#connect(spec, location);
  }

  #connect(spec: PluginSpec, location: PluginLocation): Promise<StartedProvider> {
    switch (location.kind) {
      case 'attached':
        return this.#attach(spec, location.port);
      case 'in-process':
        return this.#loadModule(spec, location);
      default:
        return this.#launch(spec, location);
    }
  }

  async #attach(spec: PluginSpec, port: number): Promise<StartedProvider> {
    const client = this.#client(spec, port);
    const provider = this.#instance(client, {
      around: directly,
      runs: () => false,
      close: () => client.close(),
    });
    const context = this.#context(spec, 'ports');
    return this.#greeted(provider, context, {}, context.addresses.engine);
  }

  async #loadModule(spec: PluginSpec, location: InProcess): Promise<StartedProvider> {
    const context = this.#context(spec, 'sockets');
    const load = this.#options.importModule ?? ((path) => import(pathToFileURL(path).href));
    const around = await this.#inOurProcess(location);
    const module = await around('load', undefined, () => load(location.module)).catch((error: unknown) => {
      // A module that could not be read once is not read again in this process.
      if (isOutOfDescriptors(error)) throw outOfDescriptors(`load the provider ${location.npmName}`, error);
      throw startError(context, `${location.npmName}: ${messageOf(error)}`, error);
    });
    const make = (module as { default?: unknown }).default;
    if (typeof make !== 'function') {
      throw startError(context, `${location.module} has no function as its default export`);
    }
    const inner = (make as () => Provider)();
    const provider = this.#instance(inner, {
      around,
      runs: () => inner.ended?.() !== true,
      close: () => inner.close(),
    });
    const { rootDirectory, programDirectory } = this.#options;
    return this.#greeted(provider, context, {
      rootDirectory,
      programDirectory,
    });
  }

  /** Notes calls of a package that did not come with Cairn, in case that they end our process [PLUG-14]. */
  async #inOurProcess({ npmName, version }: InProcess): Promise<Around> {
    if (isOwnPackage(npmName)) return directly;
    const { CallMarks } = await import('./in-process/call-marks.js');
    this.#marks ??= new CallMarks(this.#settings.marksDirectory);
    return this.#marks.around(`${npmName}@${version}`);
  }

  async #launch(spec: PluginSpec, location: ProcessLocation): Promise<StartedProvider> {
    const context = this.#context(spec, await this.#addressKind(location));
    // Loaded on demand: most operations do not need it.
    const { launchPlugin } = await import('./launch/plugin-process.js');
    const process = await launchPlugin(context, location);
    const { output } = context;
    const plugin = pluginName(spec);
    const client = this.#client(spec, process.port);
    const { exitNewsMs, closeCancelMs } = this.#limits;
    const watch = watchForDeath({ plugin, process, output, exitNewsMs });
    let leaving = false;
    void process.exit.then((exit) => {
      if (leaving || watch.busy()) return;
      this.#say('error', plugin, [`the plugin ended with ${exit}`, ...output.lastLines(20)].join('\n'));
    });
    const provider = this.#instance(client, {
      around: watch.around,
      runs: () => !leaving && process.ended() === undefined,
      close: async () => {
        leaving = true;
        this.#launched.delete(provider);
        const listens = !this.#abrupt && watch.hasAnswered() && process.ended() === undefined;
        if (listens) await within(quietly(client.cancel()), closeCancelMs);
        await client.close();
        await process.stop();
      },
    });
    this.#launched.add(provider);
    return this.#greeted(provider, context, process.directories);
  }

  async #addressKind(location: ProcessLocation): Promise<AddressKind> {
    if (location.kind === 'directory') return addressKindOf(this.#options, location.path);
    return location.kind === 'executable' ? 'ports' : 'sockets';
  }

  /** Returns the provider as callers receive it and the host keeps it. Its `close` runs once and forgets it. */
  #instance(inner: Provider, { around, runs, close }: InstanceParts): StartedProvider {
    let closing: Promise<void> | undefined;
    const instance: StartedProvider = {
      ...intercept(inner, through(around), {
        close: () => (closing ??= quietly(close()).then(() => void this.#instances.delete(instance))),
      }),
      runs,
    };
    this.#instances.add(instance);
    return instance;
  }

  async #greeted(
    provider: StartedProvider,
    context: LaunchContext,
    handshake: { rootDirectory?: string; programDirectory?: string },
    attach?: string,
  ): Promise<StartedProvider> {
    const { spec, addresses } = context;
    const { engine, loader, mapper, resolver } = addresses;
    const { keptAnswers } = this.#options;
    const offered: HandshakeRequest = {
      ...handshake,
      ...(keptAnswers !== undefined && { keptAnswers }),
      engineAddress: engine,
      ...(loader !== '' && { loaderAddress: loader }),
      ...(mapper !== '' && { mapperAddress: mapper }),
      ...(resolver !== '' && { resolverAddress: resolver }),
    };
    const warn = (text: string) => this.#say('warning', pluginName(spec), text);
    try {
      await greet(provider, { spec, handshake: offered, attach, warn }, this.#limits);
      return provider;
    } catch (error) {
      await provider.close();
      throw isCairnError(error) ? error : startError(context, messageOf(error), error);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const closeAll = () =>
      Promise.all([...this.#instances, ...this.#packs].map((instance) => instance.close()));
    await closeAll();
    await Promise.all(this.#loading);
    await closeAll();
    this.#marks?.close();
  }

  get processes(): number {
    return this.#launched.size;
  }

  async kill(): Promise<void> {
    this.#abrupt = true;
    await this.close();
  }

  #context(spec: PluginSpec, knows: AddressKind): LaunchContext {
    const options = this.#options;
    const limits = this.#limits;
    const name = pluginName(spec);
    const manner = isOfProgram(name) ? 'shown' : 'hidden';
    const output = new PluginOutput(name, manner, options.onMessage);
    return {
      options,
      limits,
      spec,
      addresses: this.#addresses(knows),
      output,
      signal: this.#closing.signal,
      abrupt: () => this.#abrupt,
    };
  }

  #client(spec: PluginSpec, port: number): ProviderClient {
    const { refreshBeforeUpdate } = this.#settings;
    const peer = { mode: 'client', kind: 'resource', name: pluginName(spec) } as const;
    const caller = watchedCaller(new StreamCaller(`127.0.0.1:${port}`), peer, this.#options.observed?.calls);
    return new ProviderClient(caller, { refreshBeforeUpdate });
  }

  #addresses(knows: AddressKind): PeerAddresses {
    const { engineAddress, schemaAddresses, portAddresses } = this.#options;
    if (knows === 'ports' && portAddresses !== undefined) return portAddresses();
    const engine = typeof engineAddress === 'string' ? engineAddress : engineAddress();
    const { loader, mapper, resolver } = schemaAddresses?.() ?? { loader: '', mapper: '', resolver: '' };
    return { engine, loader, mapper, resolver };
  }

  #say(severity: PluginMessage['severity'], plugin: string, text: string): void {
    this.#options.onMessage({ severity, plugin, text, streamId: 0, urn: undefined });
  }
}

async function quietly(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}
