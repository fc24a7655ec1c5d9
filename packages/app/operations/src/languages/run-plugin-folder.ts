import { fail } from '@cairn/diagnostics';
import { readPluginManifest } from '@cairn/plugin-host/install';
import type { LanguageHost, RunPluginRequest } from '@cairn/wire';
import { builtInLanguage, languagePlugin } from './languages.js';
import type { LanguagePorts, LanguageUse } from './languages.js';

/** A plugin that is source code in a folder with a PulumiPlugin.yaml, and how it is run. */
export interface PluginFolderRun
  extends
    Pick<RunPluginRequest, 'kind' | 'name' | 'workingDirectory' | 'args' | 'env' | 'onOutput'>,
    Pick<LanguageUse, 'onMessage'> {
  readonly directory: string;
  /** Calls when the plugin is to end. What it returns takes that back. */
  readonly onInterrupt: (stop: () => void) => () => void;
}

/**
 * Runs a plugin by its language, until it ends: resolves with its exit code. Nothing is left running. Rejects with
 * CAIRN-PLUGIN-START when its manifest names no runtime, and as the first question to a language does.
 */
export async function runPluginFolder(ports: LanguagePorts, run: PluginFolderRun): Promise<number> {
  const { directory, onMessage, onInterrupt, ...request } = run;
  const manifest = await readPluginManifest(directory);
  const runtime = manifest?.runtime;
  if (manifest === undefined || runtime === undefined)
    return fail('CAIRN-PLUGIN-START', `the manifest of the plugin in ${directory} names no runtime`, {
      hint: 'tell the authors of the plugin',
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
