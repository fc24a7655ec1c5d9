import { isDeepStrictEqual } from 'node:util';
import type { PluginSpec, Provider } from '@cairn/wire';
import { isOfProgram } from '../discovery/dynamic-provider.js';
import type { PluginHostOptions } from '../options.js';
import { createPluginHost } from '../plugin-host.js';
import type { PluginHost } from '../plugin-host.js';
import { pluginName } from '../plugin-spec.js';
import { freshProvider, reusedProvider } from './pass-provider.js';
import type { PassUse, ServedProvider } from './pass-provider.js';

/** Age up to which providers are taken over, in milliseconds since their start: credentials age. */
export const KEPT_MS = 5 * 60_000;

/** Plugin host for the passes of one operation. Providers of one pass can serve the next [PLUG-12]. */
export interface PluginPasses extends Pick<PluginHost, 'loadPolicyPack' | 'processes'> {
  /** Same as {@link PluginHost.load}, but the provider may be one of an earlier pass. */
  load(spec: PluginSpec): Promise<Provider>;
  /** Ends a pass, which has closed its providers. Those that can serve the next one are kept, all others have ended. */
  endPass(): Promise<void>;
  /** Ends all providers that are left. Never throws. */
  close(): Promise<void>;
}

/** Returns the host. `now` is the time, in milliseconds. Fails as {@link createPluginHost} does. */
export function createPluginPasses(options: PluginHostOptions, now: () => number): PluginPasses {
  return new Passes(createPluginHost(options), now);
}

interface Kept {
  readonly spec: PluginSpec;
  readonly served: ServedProvider;
  /** Time of its start. */
  readonly since: number;
}

class Passes implements PluginPasses {
  /** Providers of earlier passes. */
  #waiting: Kept[] = [];
  /** Providers of the pass that runs. */
  #left: Kept[] = [];
  #closing: Promise<void>[] = [];
  readonly #host: PluginHost;
  readonly #now: () => number;

  constructor(host: PluginHost, now: () => number) {
    this.#host = host;
    this.#now = now;
  }

  async load(spec: PluginSpec): Promise<Provider> {
    const kept = this.#take(spec);
    if (kept !== undefined) return reusedProvider(kept.served, this.#use(spec, kept.since));
    const since = this.#now();
    return freshProvider(await this.#host.load(spec), this.#use(spec, since));
  }

  loadPolicyPack: PluginHost['loadPolicyPack'] = (path, stack) => this.#host.loadPolicyPack(path, stack);

  async endPass(): Promise<void> {
    const unused = this.#waiting;
    this.#waiting = this.#left;
    this.#left = [];
    for (const { served } of unused) this.#letGo(served.provider);
    await Promise.all(this.#closing.splice(0));
  }

  close(): Promise<void> {
    return this.#host.close();
  }

  get processes(): number {
    return this.#host.processes;
  }

  /** Takes a kept provider. One that is too old, or has ended meanwhile, is closed. */
  #take(spec: PluginSpec): Kept | undefined {
    for (const kept of this.#waiting.filter((each) => isDeepStrictEqual(each.spec, spec))) {
      this.#waiting = this.#waiting.filter((each) => each !== kept);
      const { provider } = kept.served;
      const age = this.#now() - kept.since;
      if (age >= 0 && age <= KEPT_MS && provider.runs()) return kept;
      this.#letGo(provider);
    }
    return undefined;
  }

  #letGo(provider: Provider): void {
    this.#closing.push(provider.close());
  }

  #use(spec: PluginSpec, since: number): PassUse {
    let started = since;
    return {
      startAnew: () => {
        started = this.#now();
        return this.#host.load(spec);
      },
      onReplaced: (provider) => this.#letGo(provider),
      onLeft: async (served, unfit) => {
        const keeps = unfit === undefined && !isOfProgram(pluginName(spec)) && served.provider.runs();
        if (keeps) this.#left.push({ spec, served, since: started });
        else await served.provider.close();
      },
    };
  }
}
