import { join } from 'node:path';
import type { PluginSpec } from '@cairn/wire';
import semver from 'semver';
import { gitPlace } from '../install/git-plugin.js';
import type { PluginHostOptions } from '../options.js';
import { pluginName } from '../plugin-spec.js';
import type { PluginSettings } from '../settings.js';
import { PULUMI_DYNAMIC_PACKAGE, comesWithLanguage, locateDynamicProvider } from './dynamic-provider.js';
import { executableIn, executableOnPath, pluginIn } from './executables.js';
import { missingPlugin } from './missing-plugin.js';
import { listCache, selectPlugin, touch } from './plugin-cache.js';
import type { LocatedPlugin, PluginLocation } from './plugin-location.js';
import { findProjectPlugin, locateProjectPlugins } from './project-plugins.js';
import { packageLocator } from './provider-package-location.js';
import { providerPackages } from './provider-packages.js';

/** Place to look for plugins. */
interface Place {
  /** Completes the sentence "not found …". */
  readonly name: string;
  readonly look: (request: Request) => Promise<LocatedPlugin | undefined>;
  /** Lists its plugins by name. Undefined if it does not report them. */
  readonly names?: () => Promise<readonly string[]>;
}

interface Request {
  readonly spec: PluginSpec;
  readonly name: string;
  readonly version: string | undefined;
}

/** Finds plugins. The project and the provider packages are read once. */
export type PluginFinder = (spec: PluginSpec) => Promise<PluginLocation>;

/**
 * Makes the finder. It fails with CAIRN-PLUGIN-NOT-FOUND. `warn` receives warnings for the user about a found plugin.
 */
export function createPluginFinder(
  options: PluginHostOptions,
  settings: PluginSettings,
  warn: (plugin: string, text: string) => void,
): PluginFinder {
  const places = placesOf(options, settings, warn);
  return async (spec) => {
    const request: Request = { spec, name: pluginName(spec), version: normal(spec.version) };
    for (const place of places) {
      const finding = await place.look(request);
      if (finding === undefined) continue;
      if (finding.warning !== undefined) warn(request.name, finding.warning);
      return finding.location;
    }
    const names = places.map((place) => place.name);
    const there = await Promise.all(places.map((place) => place.names?.() ?? []));
    throw await missingPlugin(spec, names, settings, there.flat());
  };
}

const normal = (version: string | undefined): string | undefined =>
  version === undefined || version === '' ? undefined : (semver.valid(version) ?? version);

/**
 * Returns the places in the order of [PLUG-1], with our own provider packages between the project's plugins and the
 * PATH.
 */
function placesOf(
  options: PluginHostOptions,
  settings: PluginSettings,
  warn: (plugin: string, text: string) => void,
): readonly Place[] {
  const { rootDirectory, programDirectory, packageRoots, bundledDirectories } = options;
  const ofProject = once(() =>
    locateProjectPlugins(rootDirectory, options.projectPlugins, options.projectPackages),
  );
  const located = packageLocator(packageRoots, settings);
  const ofPackages = [programDirectory, ...packageRoots].map((root) => once(() => providerPackages(root)));
  return [
    {
      name: 'among the running plugins of CAIRN_DEBUG_PROVIDERS',
      look: async ({ name }) => attached(settings.attach.get(name)),
    },
    {
      name: `among the plugins and packages of the project file in ${rootDirectory}`,
      look: async ({ name, version }) =>
        findProjectPlugin(await ofProject(), name, version, (text) => warn(name, text)),
    },
    {
      name: `in the SDK of the program in ${programDirectory}`,
      look: async ({ name, spec }) =>
        name === PULUMI_DYNAMIC_PACKAGE
          ? { location: locateDynamicProvider(programDirectory, spec.neededBy) }
          : undefined,
    },
    {
      name: `among the npm packages of the program in ${programDirectory}`,
      look: async ({ name, version }) => {
        for (const packages of ofPackages) {
          const found = (await packages()).find((entry) => entry.provider === name);
          if (found !== undefined) return located(found, version);
        }
        return undefined;
      },
      names: async () => {
        const packages = await Promise.all(ofPackages.map((each) => each()));
        return packages.flat().map(({ provider }) => provider);
      },
    },
    {
      name: 'on the PATH',
      look: async ({ name }) => {
        const path = settings.ignoreAmbient ? undefined : await executableOnPath(settings.path, name);
        if (path === undefined) return undefined;
        const warning = comesWithLanguage(name) ? undefined : `using ${path} from the PATH`;
        return { location: { kind: 'executable', path }, warning };
      },
    },
    ...bundledDirectories.map((directory): Place => ({
      name: `next to the command line in ${directory}`,
      look: async ({ name }) => {
        const path = await executableIn(directory, name);
        return path === undefined ? undefined : { location: { kind: 'executable', path } };
      },
    })),
    ...settings.cacheDirectories.map((cache): Place => ({
      name: `in the plugin cache ${cache}`,
      names: async () =>
        (await listCache(cache)).filter(({ kind }) => kind === 'resource').map(({ name }) => name),
      look: ({ spec, name, version }) =>
        fromCache(
          cache,
          gitPlace(spec.downloadUrl) ?? { name, subdirectory: '' },
          version,
          settings.legacySearch,
        ),
    })),
  ];
}

const attached = (port: number | undefined): LocatedPlugin | undefined =>
  port === undefined ? undefined : { location: { kind: 'attached', port } };

async function fromCache(
  cache: string,
  { name, subdirectory }: { readonly name: string; readonly subdirectory: string },
  version: string | undefined,
  legacy: boolean,
): Promise<LocatedPlugin | undefined> {
  const wanted = version === undefined || semver.valid(version) !== null ? version : undefined;
  const plugin = selectPlugin(await listCache(cache), { kind: 'resource', name, version: wanted }, legacy);
  const location =
    plugin === undefined ? undefined : await pluginIn(join(plugin.directory, subdirectory), name);
  if (plugin === undefined || location === undefined) return undefined;
  await touch(plugin);
  return { location };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
