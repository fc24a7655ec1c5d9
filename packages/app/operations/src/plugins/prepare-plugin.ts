import { fail } from '@cairn/diagnostics';
import { readPluginManifest } from '@cairn/plugin-host/install';
import { withLanguage } from '../languages/languages.js';
import { outputPassedOn, passedOn } from '../making.js';
import type { Ports } from '../ports.js';

/** Installs the dependencies of a plugin that a language runtime runs, and reports the output. */
export async function preparePlugin(ports: Ports, directory: string): Promise<void> {
  const manifest =
    (await readPluginManifest(directory)) ?? (await readPluginManifest(directory, 'PulumiPolicy.yaml'));
  const runtime = manifest?.runtime;
  if (runtime === undefined)
    return fail('CAIRN-PLUGIN-INSTALL', 'the manifest of the plugin does not name a runtime', {
      hint: 'Report it to the authors of the plugin.',
    });
  await installPackage(ports, directory, { runtime, options: manifest?.options, isPlugin: true });
}

/** Installs the dependencies of a package with the tools of its language, and reports their output. */
export async function installPackage(
  ports: Ports,
  directory: string,
  {
    runtime,
    options = {},
    isPlugin = false,
  }: {
    readonly runtime: string;
    readonly options?: Readonly<Record<string, unknown>> | undefined;
    readonly isPlugin?: boolean;
  },
): Promise<void> {
  const info = {
    ...{ rootDirectory: directory, programDirectory: directory, entryPoint: '.' },
    options,
  };
  const use = { runtime, info, onMessage: passedOn(ports) };
  const onOutput = outputPassedOn(ports);
  await withLanguage(ports, use, (language) =>
    language.installDependencies({ info, isPlugin }, (_stream, text) => onOutput('stderr', text)),
  );
}
