import { CairnError, isCairnError } from '@cairn/diagnostics';
import type { LanguageHost } from '@cairn/wire';
import { readPluginManifest } from '../discovery/plugin-manifest.js';
import type { PluginManifest } from '../discovery/plugin-manifest.js';
import type { AddressKind, PluginHostOptions } from '../options.js';
import { createLanguagePlugin } from './language-plugin.js';

type Languages = Pick<
  PluginHostOptions,
  | 'languageHost'
  | 'languages'
  | 'rootDirectory'
  | 'programDirectory'
  | 'environment'
  | 'observed'
  | 'onMessage'
  | 'limits'
>;

/**
 * Returns the host that runs a language, for `what`: the built-in one, else its plugin, started for this use alone.
 * Fails as the first request to that plugin would, and then leaves no process running.
 */
export async function languageFor(options: Languages, runtime: string, what: string): Promise<LanguageHost> {
  const builtIn = options.languageHost(runtime);
  if (builtIn !== undefined) return builtIn;
  const { languages, rootDirectory, programDirectory, environment, observed, onMessage, limits } = options;
  const plugin = createLanguagePlugin({
    ...{ runtime, rootDirectory, programDirectory, environment, observed, onMessage, limits },
    languagePlugins: languages?.plugins ?? [],
    bundledDirectories: languages?.directories ?? [],
  });
  await plugin.getPluginInfo().catch(async (error: unknown) => {
    await plugin.close();
    if (!isCairnError(error)) throw error;
    throw new CairnError(
      error.diagnostics.map((one) => ({ ...one, summary: `${what}: ${one.summary}` })),
      { cause: error },
    );
  });
  return plugin;
}

/** Returns the kind of address for a plugin that a manifest describes. Language plugins may not know socket files. */
export async function addressKindOf(
  options: Languages,
  directory: string,
  name?: 'PulumiPlugin.yaml' | 'PulumiPolicy.yaml',
): Promise<AddressKind> {
  const manifest: PluginManifest | undefined = await readPluginManifest(directory, name);
  return manifest?.runtime !== undefined && options.languageHost(manifest.runtime) === undefined
    ? 'ports'
    : 'sockets';
}
