import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isName } from '@cairn/addresses';
import { EXIT, cairnError } from '@cairn/diagnostics';
import {
  checkSecretsProvider,
  checkedProjectName,
  checkedStackReference,
  loadProject,
} from '@cairn/workspace';
import { cairnVersion, packageDirectory } from '../session/version.js';
import { askText, chooseOne } from '../terminal/prompt.js';
import type { World } from '../world.js';
import type { Command, Flags } from '../command-spec.js';
import { dependenciesAreThere, installDependencies, installPackage } from '@cairn/operations/packages';
import {
  PROJECTS,
  chooseTemplate,
  findTemplates,
  firstStack,
  installedTemplates,
  projectFromTemplate,
} from '@cairn/operations/templates';
import type { FirstStack, Template } from '@cairn/operations/templates';
import { makingPorts } from '../session/making.js';
import { optionsOf } from '../session/runtime-options.js';
import { isOn, stackChoice, textOf } from '../session/stack-choice.js';
import { templateAnswers } from '../session/template-answers.js';
import { ALIAS, isAlias } from '../terminal/called-as.js';
import { alignedLines } from '../terminal/columns.js';
import {
  PACKAGE_TEMPLATES,
  TYPESCRIPT,
  checkedPackageName,
  isPackageTemplate,
  writePackage,
} from './new-package.js';
import type { PackageTemplate } from './new-package.js';

/** Cairn's own templates by name, with the entry file of each. */
const TEMPLATES: Readonly<Record<string, { readonly main: string; readonly summary: string }>> = {
  typescript: { main: 'index.ts', summary: 'A program in TypeScript' },
  javascript: { main: 'index.js', summary: 'A program in JavaScript' },
};

export const run: Command = async ({ args, flags }, world) => {
  if (flags.on('list-templates')) return listTemplates(world);
  checkSecretsProvider(flags.text('secrets-provider') ?? '');
  const named = args[0] ?? (await chosenTemplate(world, flags));
  if (isPackageTemplate(named)) return newPackage(named, flags, world);
  if (Object.hasOwn(TEMPLATES, named)) return newProject(named, flags, world);
  const { templates, remove } = await findTemplates(world, PROJECTS, named, flags.on('offline'));
  try {
    return await newFromTemplate(
      await chooseTemplate(templates, templateAnswers(world, flags)),
      flags,
      world,
    );
  } finally {
    await remove();
  }
};

/** `package new` */
export const newPackageOf: Command = async ({ args: [template = 'provider'], flags }, world) => {
  if (isPackageTemplate(template)) return newPackage(template, flags, world);
  throw cairnError(
    'CAIRN-USAGE',
    `there is no template for a package of the name ${JSON.stringify(template)}`,
    {
      hint: `Take one of ${Object.keys(PACKAGE_TEMPLATES).join(', ')}. \`cairn new\` takes templates of projects from elsewhere.`,
    },
  );
};

async function listTemplates(world: World): Promise<number> {
  const own = Object.entries(TEMPLATES).map(([name, { summary }]) => [name, summary]);
  const packages = Object.keys(PACKAGE_TEMPLATES).map((name) => [name, `A package with a ${name}`]);
  const installed = (await installedTemplates(world, PROJECTS)).map(({ name, description }) => [
    name,
    description,
  ]);
  for (const line of alignedLines([...own, ...packages, ...installed])) world.stdout.write(`${line}\n`);
  return EXIT.ok;
}

/** Returns the user's choice of template on a terminal, else a program in TypeScript. */
async function chosenTemplate(world: World, flags: Flags): Promise<string> {
  if (flags.on('yes') || !world.terminal.interactive) return 'typescript';
  const installed = await installedTemplates(world, PROJECTS);
  const choices = [
    ...Object.entries(TEMPLATES).map(([name, { summary }]) => ({ value: name, label: name, hint: summary })),
    ...installed.map(({ name, description }) => ({ value: name, label: name, hint: description })),
    ...Object.keys(PACKAGE_TEMPLATES).map((name) => ({
      value: name,
      label: name,
      hint: `A package with a ${name}`,
    })),
  ];
  return (await chooseOne(world, 'Template', choices, 'typescript')) ?? cancelled();
}

async function newFromTemplate(template: Template, flags: Flags, world: World): Promise<number> {
  const directory = path.resolve(world.cwd, flags.text('dir') ?? '.');
  const name = checkedProjectName(
    flags.text('name') ?? (await answered(world, flags, 'Name of the project', nameFrom(directory))),
  );
  const description =
    flags.text('description') ??
    (await answered(world, flags, 'Description of the project', template.description));
  await emptyDirectory(directory, flags);
  const stack = await firstStackFor(world, flags);
  const request = {
    ...{ template, directory, name, description, stack },
    runtimeOptions: optionsOf(flags.list('runtime-options')),
    force: flags.on('force'),
    install: !flags.on('generate-only'),
    made: (what: 'project' | 'stack') => tellMade(world, what, name, directory, stack),
  };
  const ports = makingPorts({ ...world, cwd: directory }, flags);
  await projectFromTemplate(ports, request, templateAnswers(world, flags));
  if (template.quickstart !== '') world.stderr.write(`\n${template.quickstart}\n`);
  tellNext(world, flags, [...(flags.on('generate-only') ? ['cairn install'] : []), 'cairn up']);
  return EXIT.ok;
}

async function newProject(template: string, flags: Flags, world: World): Promise<number> {
  const directory = path.resolve(world.cwd, flags.text('dir') ?? '.');
  const name = checkedProjectName(
    flags.text('name') ?? (await answered(world, flags, 'Name of the project', nameFrom(directory))),
  );
  await emptyDirectory(directory, flags);
  const stack = await firstStackFor(world, flags);
  await cp(path.join(packageDirectory(), 'templates', template), directory, { recursive: true });
  await writeProject(directory, name, flags.text('description'), TEMPLATES[template]?.main ?? 'index.ts');
  tellMade(world, 'project', name, directory, stack);
  const ports = makingPorts({ ...world, cwd: directory }, flags);
  if (stack !== undefined)
    await firstStack(ports, stack, [], {}, (what) => tellMade(world, what, name, directory, stack));
  const wanted = !flags.on('generate-only') && !(await dependenciesAreThere(directory));
  const versionTools = isOn(flags, 'use-language-version-tools');
  if (wanted) await installDependencies(ports, await loadProject(directory), { versionTools });
  tellNext(world, flags, flags.on('generate-only') ? ['npm install', 'cairn up'] : ['cairn up']);
  return EXIT.ok;
}

async function newPackage(template: PackageTemplate, flags: Flags, world: World): Promise<number> {
  const directory = path.resolve(world.cwd, flags.text('dir') ?? '.');
  const name = checkedPackageName(
    flags.text('name') ?? (await answered(world, flags, 'Name of the package', nameFrom(directory))),
  );
  await emptyDirectory(directory, flags);
  const version = `^${cairnVersion()}`;
  const source = path.join(packageDirectory(), 'templates', template);
  await writePackage(template, source, directory, { name, description: flags.text('description'), version });
  world.stderr.write(`Created package ${name} in ${directory}\n`);
  const installs = !flags.on('generate-only') && !(await dependenciesAreThere(directory));
  if (installs) await installPackage(makingPorts(world, flags), directory, { runtime: 'nodejs' });
  const { next } = PACKAGE_TEMPLATES[template];
  const first = flags.on('generate-only') ? ['npm install'] : [];
  tellNext(world, flags, [...first, 'npm test', ...(next === undefined ? [] : [next])]);
  return EXIT.ok;
}

/** Prints the next commands. Scripts written for the other tool look for them under its name, on stdout. */
function tellNext(world: World, flags: Flags, commands: readonly string[]): void {
  const dir = flags.text('dir');
  const alias = isAlias(world);
  const named = alias ? commands.map((command) => command.replace(/^cairn /, `${ALIAS} `)) : commands;
  const lines = [...(dir === undefined ? [] : [`cd ${dir}`]), ...named];
  world[alias ? 'stdout' : 'stderr'].write(`\nNext:\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

async function emptyDirectory(directory: string, flags: Flags): Promise<void> {
  await mkdir(directory, { recursive: true });
  const present = await readdir(directory);
  if (present.length === 0 || flags.on('force')) return;
  throw cairnError('CAIRN-USAGE', `${directory} is not empty`, {
    hint: 'Pass --dir to name another directory, or --force to write into this one.',
  });
}

/** Returns the first stack of a new project, or undefined if only its files were requested. */
async function firstStackFor(world: World, flags: Flags): Promise<FirstStack | undefined> {
  if (flags.on('generate-only')) return undefined;
  const name = flags.text('stack') ?? (await answered(world, flags, 'Name of the stack', 'dev'));
  return {
    name: checkedStackReference(name, world.env).stack,
    choice: stackChoice(flags),
    secretsProvider: textOf(flags, 'secrets-provider'),
    given: flags.list('config'),
    asPaths: flags.on('config-path'),
  };
}

function tellMade(
  { stderr }: World,
  made: 'project' | 'stack',
  name: string,
  directory: string,
  stack: FirstStack | undefined,
): void {
  stderr.write(
    made === 'project' ? `Created project ${name} in ${directory}\n` : `Created stack ${stack?.name ?? ''}\n`,
  );
}

/** Returns the user's answer, or the default with `--yes` or without a terminal. */
async function answered(world: World, flags: Flags, question: string, usual: string): Promise<string> {
  if (flags.on('yes') || !world.terminal.interactive) return usual;
  return (await askText(world, question, usual)) ?? cancelled();
}

function cancelled(): never {
  throw cairnError('CAIRN-CANCELLED', 'nothing was created');
}

/** Returns the last part of the directory, with characters replaced that a name may not contain. */
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
    ...(main.endsWith('.ts') ? { devDependencies: TYPESCRIPT } : {}),
  };
  await writeFile(path.join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await writeFile(path.join(directory, '.gitignore'), 'node_modules/\n');
}
