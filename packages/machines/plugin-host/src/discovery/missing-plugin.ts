import { cairnError, nearest } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { pluginName } from '../plugin-spec.js';
import type { PluginSpec } from '../plugin-spec.js';
import type { PluginSettings } from '../settings.js';
import { executableName, onPath } from './executables.js';
import { listCache } from './plugin-cache.js';

/**
 * The error about a plugin that is nowhere: what, for whom, where it was looked for, which versions there are, where it
 * may come from, and the command that installs it; or the one of those that are `there` whose name is nearly the same.
 */
export async function missingPlugin(
  spec: PluginSpec,
  places: readonly string[],
  settings: PluginSettings,
  there: readonly string[],
): Promise<CairnError> {
  const name = pluginName(spec);
  const version = spec.version?.replace(/^v/, '') || undefined;
  const user = spec.neededBy === undefined ? '' : `, which ${spec.neededBy} needs`;
  const asked = version === undefined ? '' : ` ${version}`;
  return cairnError('CAIRN-PLUGIN-NOT-FOUND', `cannot find the provider plugin ${name}${asked}${user}`, {
    urn: spec.neededBy,
    causes: [
      ...places.map((place) => `not found ${place}`),
      ...(await otherVersions(name, settings)),
      ...(isOurs(name) ? [] : [`it may be downloaded from ${spec.downloadUrl || usualPlace(name)}`]),
    ],
    hint: nearly(name, there) ?? hint(spec, name, version),
  });
}

/** What is installed of the plugin that does not serve. */
async function otherVersions(name: string, settings: PluginSettings): Promise<readonly string[]> {
  const ignored = settings.ignoreAmbient ? await onPath(settings.path, name) : undefined;
  const inCaches = await Promise.all(
    [...new Set(settings.cacheDirectories)].map(async (cache) => {
      const plugins = (await listCache(cache)).filter(
        (plugin) => plugin.kind === 'resource' && plugin.name === name,
      );
      const versions = plugins.map(({ version }) => version ?? 'one without a version');
      return versions.length === 0 ? [] : [`the plugin cache ${cache} has ${versions.join(', ')}`];
    }),
  );
  return [
    ...inCaches.flat(),
    ...(ignored === undefined ? [] : [`${ignored} is on the PATH, which the environment says to ignore`]),
  ];
}

/** A name that was mistyped; versions of the same name are told of apart. */
function nearly(name: string, there: readonly string[]): string | undefined {
  const close = nearest(
    name,
    there.filter((other) => other !== name),
  );
  return close && `Did you mean ${close}? That package is there.`;
}

const isOurs = (name: string): boolean => name.startsWith('cairn-');

const usualPlace = (name: string): string => `github://api.github.com/pulumi/pulumi-${name}`;

function hint(spec: PluginSpec, name: string, version: string | undefined): string {
  if (isOurs(name))
    return `run \`npm install @cairn/provider-${name.slice('cairn-'.length)}\` in the directory of the program`;
  const words = [
    'cairn plugin install resource',
    name,
    version,
    spec.downloadUrl && `--server ${spec.downloadUrl}`,
  ];
  const command = words.filter((word) => word !== undefined && word !== '').join(' ');
  return `run \`${command}\`, or put ${executableName(name)} into a directory on the PATH`;
}
