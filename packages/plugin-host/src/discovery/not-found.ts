import type { CairnError } from '@cairn/diagnostics';
import { cairnError } from '@cairn/diagnostics';
import type { PluginSpec } from '../plugin-spec.js';
import { pluginName } from '../plugin-spec.js';
import { executableName } from './executables.js';

/** The error about a plugin that is nowhere: what, for whom, where it was looked for, how to get it. */
export function notFound(spec: PluginSpec, places: readonly string[], cache: string): CairnError {
  const name = pluginName(spec);
  const version = spec.version === undefined ? '' : ` ${spec.version}`;
  const user = spec.neededBy === undefined ? '' : `, which ${spec.neededBy} needs`;
  return cairnError('CAIRN-PLUGIN-NOT-FOUND', `cannot find the provider plugin ${name}${version}${user}`, {
    urn: spec.neededBy,
    causes: places.map((place) => `not found ${place}`),
    hint: hint(name, spec.version, cache),
  });
}

function hint(name: string, version: string | undefined, cache: string): string {
  if (name.startsWith('cairn-')) {
    return `run \`npm install @cairn/provider-${name.slice('cairn-'.length)}\` in the directory of the program`;
  }
  const directory = `${cache}/resource-${name}-v${version ?? '<version>'}`;
  return `install the provider: put its executable ${executableName(name)} into ${directory} or into a directory on the PATH`;
}
