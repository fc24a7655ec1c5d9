import type { PluginSpec } from '@cairn/wire';

/** Returns the name of the plugin that a spec asks for. */
export function pluginName(spec: PluginSpec): string {
  return spec.parameterization?.basePlugin ?? spec.package;
}
