import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { Command, Flags } from '../command-spec.js';
import { preparePlugin } from '../session/plugins/prepare-plugin.js';
import { chooseTemplate } from '../session/templates/choose-template.js';
import { dependenciesAreThere } from '../session/templates/dependencies-there.js';
import { optionsOf } from '../session/templates/runtime-options.js';
import { POLICY_PACKS } from '../session/templates/template-file.js';
import { findTemplates } from '../session/templates/template-source.js';
import { writeTemplate } from '../session/templates/write-template.js';
import { cairnVersion, packageDirectory } from '../session/version.js';
import type { World } from '../world.js';

/** The template of our own. */
const OWN = 'typescript';

/** `policy new` */
export const run: Command = async ({ args: [template = OWN], flags }, world) => {
  const directory = path.resolve(world.cwd, flags.text('dir') ?? '.');
  await mkdir(directory, { recursive: true });
  if ((await readdir(directory)).length > 0 && !flags.on('force'))
    throw cairnError('CAIRN-USAGE', `${directory} is not empty`, {
      hint: 'pass --dir to name another directory, or --force to write into this one',
    });
  if (template === OWN) await writeOwn(directory);
  else await writeFrom(world, flags, template, directory);
  world.stderr.write(`Created policy pack in ${directory}\n`);
  const installs = !flags.on('generate-only') && !(await dependenciesAreThere(directory));
  if (installs) await preparePlugin(world, flags, directory);
  const pack = flags.text('dir') ?? '.';
  world.stderr.write(`\nNext, in a project:\n  cairn preview --policy-pack ${pack}\n`);
  return EXIT.ok;
};

async function writeFrom(world: World, flags: Flags, text: string, directory: string): Promise<void> {
  const runtimeOptions = optionsOf(flags.list('runtime-options'));
  const { templates, remove } = await findTemplates(world, POLICY_PACKS, text, flags.on('offline'));
  try {
    const template = await chooseTemplate(world, templates, !flags.on('yes'));
    const values = { name: undefined, description: template.description, runtimeOptions };
    await writeTemplate(template, directory, values, flags.on('force'));
  } finally {
    await remove();
  }
}

async function writeOwn(directory: string): Promise<void> {
  await cp(path.join(packageDirectory(), 'templates', 'policy'), directory, { recursive: true });
  const manifest = {
    ...{ name: path.basename(directory), version: '0.1.0', private: true, type: 'module' },
    dependencies: { '@cairn/sdk': `^${cairnVersion()}` },
  };
  await writeFile(path.join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await writeFile(path.join(directory, '.gitignore'), 'node_modules/\n');
}
