import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isName } from '@cairn/addresses';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { checkSecretsProvider, checkedProjectName, checkedStackReference } from '@cairn/workspace';
import { cairnVersion, packageDirectory } from '../session/version.js';
import { askText } from '../terminal/prompt.js';
import type { World } from '../world.js';
import type { Command, Flags } from '../command-spec.js';
import { createStack } from '../session/open-stack.js';
import { PACKAGE_TEMPLATES, checkedPackageName, isPackageTemplate, writePackage } from './new-package.js';
import type { PackageTemplate } from './new-package.js';

/** Templates by name, with the entry file each brings. */
const TEMPLATES: Readonly<Record<string, { readonly main: string }>> = {
  typescript: { main: 'index.ts' },
  javascript: { main: 'index.js' },
};

export const run: Command = async ({ args, flags }, world) => {
  const template = args[0] ?? 'typescript';
  const chosen = Object.hasOwn(TEMPLATES, template) ? TEMPLATES[template] : undefined;
  const isPackage = isPackageTemplate(template);
  if (chosen === undefined && !isPackage) {
    throw cairnError('CAIRN-USAGE', `there is no template ${JSON.stringify(template)}`, {
      hint: `templates are ${[...Object.keys(TEMPLATES), ...Object.keys(PACKAGE_TEMPLATES)].join(', ')}`,
    });
  }
  checkSecretsProvider(flags.text('secrets-provider') ?? '');
  const directory = path.resolve(world.cwd, flags.text('dir') ?? '.');
  const what = isPackage ? 'package' : 'project';
  const named =
    flags.text('name') ?? (await answered(world, flags, `Name of the ${what}`, nameFrom(directory)));
  const name = isPackage ? checkedPackageName(named) : checkedProjectName(named);
  await mkdir(directory, { recursive: true });
  const present = await readdir(directory);
  if (present.length > 0 && !flags.on('force')) {
    throw cairnError('CAIRN-USAGE', `${directory} is not empty`, {
      hint: 'pass --dir to name another directory, or --force to write into this one',
    });
  }
  if (isPackage) return makePackage(template, directory, name, flags, world);
  const stack = flags.on('generate-only') ? undefined : await stackNameFor(world, flags);
  await cp(path.join(packageDirectory(), 'templates', template), directory, { recursive: true });
  await writeProject(directory, name, flags.text('description'), chosen?.main ?? 'index.ts');
  world.stderr.write(`Created project ${name} in ${directory}\n`);
  if (stack !== undefined) {
    await createStack({ ...world, cwd: directory }, flags, stack, { select: true });
    world.stderr.write(`Created stack ${stack}\n`);
  }
  world.stderr.write(
    `\nNext:\n${flags.text('dir') === undefined ? '' : `  cd ${flags.text('dir')}\n`}  npm install\n  cairn up\n`,
  );
  return EXIT.ok;
};

async function makePackage(
  template: PackageTemplate,
  directory: string,
  name: string,
  flags: Flags,
  world: World,
): Promise<number> {
  const version = `^${cairnVersion()}`;
  const source = path.join(packageDirectory(), 'templates', template);
  await writePackage(template, source, directory, { name, description: flags.text('description'), version });
  world.stderr.write(`Created package ${name} in ${directory}\n`);
  const { next } = PACKAGE_TEMPLATES[template];
  const change = flags.text('dir') === undefined ? '' : `  cd ${flags.text('dir')}\n`;
  world.stderr.write(
    `\nNext:\n${change}  npm install\n  npm test\n${next === undefined ? '' : `  ${next}\n`}`,
  );
  return EXIT.ok;
}

async function stackNameFor(world: World, flags: Flags): Promise<string> {
  const name = flags.text('stack') ?? (await answered(world, flags, 'Name of the stack', 'dev'));
  return checkedStackReference(name, world.env).stack;
}

/** What the user types, or the default where nobody can be asked or `--yes` was given. */
async function answered(world: World, flags: Flags, question: string, usual: string): Promise<string> {
  if (flags.on('yes') || !world.terminal.interactive) return usual;
  const answer = await askText(world, question, usual);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was created');
  return answer;
}

/** Last part of the directory, with what a name may not hold replaced. */
function nameFrom(directory: string): string {
  const name = path
    .basename(directory)
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .slice(0, 100);
  return isName(name) ? name : 'project';
}

async function writeProject(
  directory: string,
  name: string,
  description: string | undefined,
  main: string,
): Promise<void> {
  const version = `^${cairnVersion()}`;
  const lines = [`name: ${name}`, 'runtime: nodejs', `main: ${main}`];
  if (description !== undefined) lines.push(`description: ${JSON.stringify(description)}`);
  await writeFile(path.join(directory, 'Cairn.yaml'), `${lines.join('\n')}\n`);
  const manifest = {
    name,
    private: true,
    type: 'module',
    dependencies: {
      '@cairn/provider-local': version,
      '@cairn/provider-random': version,
      '@cairn/sdk': version,
    },
  };
  await writeFile(path.join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await writeFile(path.join(directory, '.gitignore'), 'node_modules/\n');
}
