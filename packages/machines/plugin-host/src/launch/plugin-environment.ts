import { withoutOwnSecrets } from '@cairn/values/own-secrets';
import type { PluginSpec } from '@cairn/wire';
import { PULUMI_DYNAMIC_PACKAGE } from '../discovery/dynamic-provider.js';
import type { PluginHostOptions } from '../options.js';
import { pluginName } from '../plugin-spec.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Own secrets of Cairn that a plugin takes as its own settings, by the name of the plugin. */
const TAKEN: Readonly<Record<string, readonly string[]>> = { pulumiservice: ['PULUMI_ACCESS_TOKEN'] };

/**
 * Returns the whole environment of a plugin process [PLUG-6]: ours without Cairn's own secrets, with additions.
 * Variables of `envVarMappings` are added even if they are secrets.
 */
export function pluginEnvironment(options: PluginHostOptions, spec: PluginSpec): Record<string, string> {
  const name = pluginName(spec);
  return {
    ...present(withoutOwnSecrets(options.environment)),
    ...taken(options.environment, name),
    ...options.observed?.variables,
    ...runtimeVariables(options.runtimeOptions),
    PULUMI_PROJECT: options.project,
    ...(name === PULUMI_DYNAMIC_PACKAGE ? { PULUMI_NODEJS_PROJECT: options.project } : {}),
    PULUMI_CONFIG: JSON.stringify(ownConfig(options.config, name)),
    ...mappedVariables(options.environment, spec.envVarMappings),
  };
}

function present(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function taken(environment: Environment, plugin: string): Record<string, string> {
  const names = Object.hasOwn(TAKEN, plugin) ? TAKEN[plugin] : [];
  return present(Object.fromEntries((names ?? []).map((name) => [name, environment[name]])));
}

function runtimeVariables(options: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      `PULUMI_RUNTIME_${name.toUpperCase()}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** Returns values of the plugin's own namespace, by key without namespace. */
function ownConfig(config: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const prefix = `${name}:`;
  return Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
}

function mappedVariables(
  environment: Environment,
  mappings: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mappings).flatMap(([from, to]) => {
      const value = environment[from];
      return value === undefined ? [] : [[to, value]];
    }),
  );
}
