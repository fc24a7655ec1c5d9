import { cairnError, nearest } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { PluginSpec } from '@cairn/wire';
import { pluginName } from '../plugin-spec.js';
import type { PluginSettings } from '../settings.js';
import { executableName, executableOnPath } from './executables.js';
import { listCache } from './plugin-cache.js';

/**
 * Returns the error about a plugin that was not found: its name, the resource that needs it, the searched places, the
 * installed versions, its possible source, and the command that installs it. The hint is instead one of the plugins
 * that are `there` if its name is nearly the same.
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
      ...(isOurs(name) ? [] : [`it can be downloaded from ${spec.downloadUrl || usualPlace(name)}`]),
    ],
    hint: nearly(name, there) ?? hint(spec, name, version),
  });
}

/** Lists installed versions of the plugin that do not fit. */
async function otherVersions(name: string, settings: PluginSettings): Promise<readonly string[]> {
  const ignored = settings.ignoreAmbient ? await executableOnPath(settings.path, name) : undefined;
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
    ...(ignored === undefined
      ? []
      : [`${ignored} is on the PATH, which an environment variable tells Cairn to ignore`]),
  ];
}

/** Suggests a similar name. Versions of the same name are reported separately. */
function nearly(name: string, there: readonly string[]): string | undefined {
  const close = nearest(
    name,
    there.filter((other) => other !== name),
  );
  return close && `Did you mean ${close}? That package is installed.`;
}

const isOurs = (name: string): boolean => name.startsWith('cairn-');

const usualPlace = (name: string): string => `github://api.github.com/pulumi/pulumi-${name}`;

function hint(spec: PluginSpec, name: string, version: string | undefined): string {
  if (isOurs(name))
    return `Run \`npm install @cairn/provider-${name.slice('cairn-'.length)}\` in the directory of the program.`;
  const words = [
    'cairn plugin install resource',
    name,
    version,
    spec.downloadUrl && `--server ${spec.downloadUrl}`,
  ];
  const command = words.filter((word) => word !== undefined && word !== '').join(' ');
  return `Run \`${command}\`, or put ${executableName(name)} into a directory on the PATH.`;
}
