import { cairnError } from '@cairn/diagnostics';
import type { ProviderLoader } from '@cairn/engine';
import type { PluginSpec, Provider } from '@cairn/wire';
import { MockObjects } from './mock-objects.js';
import type { MockInstance } from './mock-objects.js';
import { MockProvider } from './mock-provider.js';
import type { MockBehaviour } from './mock-provider.js';

/** A plugin that can be started: its version and its deviations from the standard behaviour. */
interface MockPlugin {
  readonly version?: string;
  readonly behaviour?: MockBehaviour;
}

/** The outside of a stack in memory, with the plugins that can be started there. */
export class MockWorld extends MockObjects implements ProviderLoader {
  readonly #plugins: Map<string, MockPlugin[]>;

  /** Plugins by package. Several plugins of one package differ in their version. */
  constructor(plugins: Readonly<Record<string, MockPlugin | readonly MockPlugin[]>>) {
    super();
    this.#plugins = new Map(
      Object.entries(plugins).map(([name, plugin]) => [name, Array.isArray(plugin) ? [...plugin] : [plugin]]),
    );
  }

  /** Replaces the plugins of a package, from the next start on. */
  install(name: string, ...plugins: readonly MockPlugin[]): void {
    this.#plugins.set(name, [...plugins]);
  }

  load(spec: PluginSpec): Promise<Provider> {
    const wanted = spec.parameterization?.basePlugin ?? spec.package;
    const candidates = (this.#plugins.get(wanted) ?? []).map((plugin) => ({ version: '1.0.0', ...plugin }));
    const newestFirst = candidates.sort((a, b) => compareVersions(b.version, a.version));
    const found = newestFirst.find(({ version }) => spec.version === undefined || version === spec.version);
    if (found === undefined) {
      const error = cairnError('CAIRN-PLUGIN-NOT-FOUND', `no plugin for the package ${wanted}`, {
        urn: spec.neededBy,
      });
      return Promise.reject(error);
    }
    const { version, behaviour = {} } = found;
    const instance: MockInstance = {
      package: spec.package,
      version,
      spec,
      settings: undefined,
      id: '',
      closed: false,
      cancelled: false,
    };
    this.instances.push(instance);
    return parameterized(new MockProvider(this, instance, behaviour), spec);
  }
}

/** Creates another package from a base plugin, as the loader must do [PKG-2]. */
async function parameterized(provider: Provider, { parameterization }: PluginSpec): Promise<Provider> {
  if (parameterization === undefined) return provider;
  const { name, version, value } = parameterization;
  await provider.parameterize({ parameters: { kind: 'value', name, version, value } });
  return provider;
}

/** Compares `major.minor.patch` texts, for the plain versions that tests use. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
