import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { findProject, loadProject } from '@cairn/workspace';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import type { StackFlags } from '../flags/operation.js';
import { installProject, preparePlugin } from '@cairn/operations/packages';
import { makingPorts } from '../flows/making.js';
import { parallelOf } from '../flows/parallel.js';
import type { CommandContext } from '../command-context.js';

/** `install` */
export const run: Command<
  Switches<'noDependencies' | 'noPlugins' | 'reinstall' | 'useLanguageVersionTools'> & Texts<'parallel'>
> = async ({ flags }, context) => {
  const pack = await packHere(context.cwd);
  if (pack !== undefined) return installPack(flags, context, pack);
  const project = await loadProject(context.cwd);
  const dependencies = !flags.noDependencies;
  await installProject(makingPorts(context, flags), project, {
    ...{ reinstall: flags.reinstall, exact: false, parallel: parallelOf(flags) },
    ...{ plugins: !flags.noPlugins, dependencies },
    versionTools: flags.useLanguageVersionTools,
  });
  if (dependencies) sayInstalled(context);
  return EXIT.ok;
};

const MANIFESTS = ['PulumiPolicy.yaml', 'PulumiPlugin.yaml'];

/**
 * Returns the folder of the policy pack or plugin that contains a folder. Returns undefined if a project is nearer.
 * Throws CAIRN-PROJECT-MISSING if there is neither.
 */
async function packHere(from: string): Promise<string | undefined> {
  const project = (await findProject(from))?.directory;
  for (let at = path.resolve(from); at !== project; at = path.dirname(at)) {
    if (MANIFESTS.some((name) => existsSync(path.join(at, name)))) return at;
    if (at === path.dirname(at))
      throw cairnError('CAIRN-PROJECT-MISSING', `no project file in ${from} or above it`, {
        hint: 'Run it in a project, or in a folder with PulumiPolicy.yaml or PulumiPlugin.yaml.',
      });
  }
  return undefined;
}

/** Installs the packages that a policy pack or a plugin depends on. */
async function installPack(
  flags: StackFlags & Switches<'noDependencies'>,
  context: CommandContext,
  directory: string,
): Promise<number> {
  if (flags.noDependencies) return EXIT.ok;
  await preparePlugin(makingPorts(context, flags), directory);
  sayInstalled(context);
  return EXIT.ok;
}

/** Prints the line that scripts wait for. */
function sayInstalled(context: CommandContext): void {
  context.stdout.write('Finished installing dependencies\n');
}
