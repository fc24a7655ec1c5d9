import { fail } from '@cairn/diagnostics';
import { readPluginManifest } from '@cairn/plugin-host/install';
import type { LanguageHost, RunPluginRequest } from '@cairn/wire';
import { builtInLanguage, languagePlugin } from './languages.js';
import type { LanguagePorts, LanguageUse } from './languages.js';

/** Run of a plugin that is source code in a folder with a PulumiPlugin.yaml. */
export interface PluginFolderRun
  extends
    Pick<RunPluginRequest, 'kind' | 'name' | 'workingDirectory' | 'args' | 'env' | 'onOutput'>,
    Pick<LanguageUse, 'onMessage'> {
  readonly directory: string;
  /** Registers a function that is called when the plugin is to end. Returns a function that unregisters it. */
  readonly onInterrupt: (stop: () => void) => () => void;
}

/**
 * Runs a plugin with its language until it ends, and resolves with its exit code. Leaves nothing running. Rejects with
 * CAIRN-PLUGIN-START when its manifest names no runtime, and like the first question to a language.
 */
export async function runPluginFolder(ports: LanguagePorts, run: PluginFolderRun): Promise<number> {
  const { directory, onMessage, onInterrupt, ...request } = run;
  const manifest = await readPluginManifest(directory);
  const runtime = manifest?.runtime;
  if (manifest === undefined || runtime === undefined)
    return fail('CAIRN-PLUGIN-START', `the manifest of the plugin in ${directory} does not name a runtime`, {
      hint: 'Report it to the authors of the plugin.',
    });
  const { options } = manifest;
  const info = { rootDirectory: directory, programDirectory: directory, entryPoint: '.', options };
  const host: LanguageHost =
    builtInLanguage(ports.env, runtime) ?? languagePlugin(ports, { runtime, info, onMessage });
  try {
    const running = host.runPlugin({ ...request, pluginDirectory: directory, options });
    const over = onInterrupt(() => void running.kill());
    return await running.exited.finally(over);
  } finally {
    await host.close();
  }
}
