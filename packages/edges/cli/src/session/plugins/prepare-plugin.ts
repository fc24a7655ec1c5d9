import { fail } from '@cairn/diagnostics';
import { withLanguage } from '@cairn/operations';
import { readPluginManifest } from '@cairn/plugin-host/install';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { portsOf } from '../ports.js';

/** Installs what a plugin depends on that a language runtime runs; its output goes to stderr. */
export async function preparePlugin(world: World, flags: Flags, directory: string): Promise<void> {
  const manifest =
    (await readPluginManifest(directory)) ?? (await readPluginManifest(directory, 'PulumiPolicy.yaml'));
  const runtime = manifest?.runtime;
  if (runtime === undefined)
    return fail('CAIRN-PLUGIN-INSTALL', 'the manifest of the plugin names no runtime', {
      hint: 'tell the authors of the plugin',
    });
  await installPackage(world, flags, directory, { runtime, options: manifest?.options, isPlugin: true });
}

/** Installs what a package depends on, with the tools of its language; their output goes to stderr. */
export async function installPackage(
  world: World,
  flags: Flags,
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
  const use = {
    runtime,
    info,
    onMessage: ({ text }: { readonly text: string }) => void world.stderr.write(`${text}\n`),
  };
  await withLanguage(portsOf(world, flags), use, (language) =>
    language.installDependencies({ info, isPlugin }, (_stream, text) => world.stderr.write(text)),
  );
}
