import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { Command } from '../command-spec.js';
import type { Lists, Switches, Texts } from '../flags/flag-spec.js';
import { dependenciesAreThere, preparePlugin } from '@cairn/operations/packages';
import { POLICY_PACKS, chooseTemplate, findTemplates, writeTemplate } from '@cairn/operations/templates';
import { makingPorts } from '../flows/making.js';
import { optionsOf } from '../flows/runtime-options.js';
import { templateAnswers } from '../flows/template-answers.js';
import { cairnVersion, packageDirectory } from '../flows/version.js';
import type { CommandContext } from '../command-context.js';

/** Cairn's own template. */
const OWN = 'typescript';

/** `policy new` */
export const run: Command<
  Texts<'dir'> & Switches<'force' | 'generateOnly' | 'offline' | 'yes'> & Lists<'runtimeOptions'>
> = async ({ args: [template = OWN], flags }, context) => {
  const directory = path.resolve(context.cwd, flags.dir ?? '.');
  await mkdir(directory, { recursive: true });
  if ((await readdir(directory)).length > 0 && !flags.force)
    throw cairnError('CAIRN-USAGE', `${directory} is not empty`, {
      hint: 'Pass --dir to name another directory, or --force to write into this one.',
    });
  if (template === OWN) await writeOwn(directory);
  else await writeFrom(context, flags, template, directory);
  context.stderr.write(`Created policy pack in ${directory}\n`);
  const installs = !flags.generateOnly && !(await dependenciesAreThere(directory));
  if (installs) await preparePlugin(makingPorts(context, flags), directory);
  const pack = flags.dir ?? '.';
  context.stderr.write(`\nNext, in a project:\n  cairn preview --policy-pack ${pack}\n`);
  return EXIT.ok;
};

async function writeFrom(
  context: CommandContext,
  flags: Switches<'force' | 'offline' | 'yes'> & Lists<'runtimeOptions'>,
  text: string,
  directory: string,
): Promise<void> {
  const runtimeOptions = optionsOf(flags.runtimeOptions);
  const { templates, remove } = await findTemplates(context, POLICY_PACKS, text, flags.offline);
  try {
    const template = await chooseTemplate(templates, templateAnswers(context, flags));
    const values = { name: undefined, description: template.description, runtimeOptions };
    await writeTemplate(template, directory, values, flags.force);
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
