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
import { cairnVersion, packageDirectory } from '../flows/version.js';
import { askText, chooseOne } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Lists, Switches, Texts } from '../flags/flag-spec.js';
import type { GlobalFlags } from '../flags/global.js';
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
import { makingPorts } from '../flows/making.js';
import { optionsOf } from '../flows/runtime-options.js';
import { stackChoice } from '../flows/stack-choice.js';
import { templateAnswers } from '../flows/template-answers.js';
import { ALIAS, isAlias } from '../terminal/called-as.js';
import { alignedLines } from '../terminal/columns.js';
import {
  PACKAGE_TEMPLATES,
  TYPESCRIPT,
  checkedPackageName,
  isPackageTemplate,
  writePackageTemplate,
} from './new-package.js';
import type { PackageTemplate } from './new-package.js';

/** Flags of a new package. */
type PackageFlags = GlobalFlags &
  Texts<'description' | 'dir' | 'name'> &
  Switches<'force' | 'generateOnly' | 'yes'>;

/** Flags of a new project. */
type ProjectFlags = PackageFlags &
  Texts<'secretsProvider' | 'stack'> &
  Lists<'config' | 'runtimeOptions'> &
  Switches<'configPath'>;

type NewFlags = ProjectFlags & Switches<'listTemplates' | 'offline'>;

/** Cairn's own templates by name, with the entry file of each. */
const TEMPLATES: Readonly<Record<string, { readonly main: string; readonly summary: string }>> = {
  typescript: { main: 'index.ts', summary: 'A program in TypeScript' },
  javascript: { main: 'index.js', summary: 'A program in JavaScript' },
};

export const run: Command<NewFlags> = async ({ args, flags }, context) => {
  if (flags.listTemplates) return listTemplates(context);
  checkSecretsProvider(flags.secretsProvider ?? '');
  const named = args[0] ?? (await chosenTemplate(context, flags));
  if (isPackageTemplate(named)) return newPackage(named, flags, context);
  if (Object.hasOwn(TEMPLATES, named)) return newProject(named, flags, context);
  const { templates, remove } = await findTemplates(context, PROJECTS, named, flags.offline);
  try {
    return await newFromTemplate(
      await chooseTemplate(templates, templateAnswers(context, flags)),
      flags,
      context,
    );
  } finally {
    await remove();
  }
};

/** `package new` */
export const newPackageOf: Command<PackageFlags> = async (
  { args: [template = 'provider'], flags },
  context,
) => {
  if (isPackageTemplate(template)) return newPackage(template, flags, context);
  throw cairnError('CAIRN-USAGE', `there is no package template ${JSON.stringify(template)}`, {
    hint: `Choose one of ${Object.keys(PACKAGE_TEMPLATES).join(', ')}. For a project template from elsewhere, run \`cairn new\`.`,
  });
};

async function listTemplates(context: CommandContext): Promise<number> {
  const own = Object.entries(TEMPLATES).map(([name, { summary }]) => [name, summary]);
  const packages = Object.keys(PACKAGE_TEMPLATES).map((name) => [name, `A package with a ${name}`]);
  const installed = (await installedTemplates(context, PROJECTS)).map(({ name, description }) => [
    name,
    description,
  ]);
  for (const line of alignedLines([...own, ...packages, ...installed])) context.stdout.write(`${line}\n`);
  return EXIT.ok;
}

/** Returns the user's choice of template on a terminal, else a program in TypeScript. */
async function chosenTemplate(context: CommandContext, flags: Switches<'yes'>): Promise<string> {
  if (flags.yes || !context.terminal.interactive) return 'typescript';
  const installed = await installedTemplates(context, PROJECTS);
  const choices = [
    ...Object.entries(TEMPLATES).map(([name, { summary }]) => ({ value: name, label: name, hint: summary })),
    ...installed.map(({ name, description }) => ({ value: name, label: name, hint: description })),
    ...Object.keys(PACKAGE_TEMPLATES).map((name) => ({
      value: name,
      label: name,
      hint: `A package with a ${name}`,
    })),
  ];
  return (await chooseOne(context, 'Template', choices, 'typescript')) ?? cancelled();
}

async function newFromTemplate(
  template: Template,
  flags: ProjectFlags,
  context: CommandContext,
): Promise<number> {
  const directory = path.resolve(context.cwd, flags.dir ?? '.');
  const name = checkedProjectName(
    flags.name ?? (await answered(context, flags, 'Name of the project', nameFrom(directory))),
  );
  const description =
    flags.description ?? (await answered(context, flags, 'Description of the project', template.description));
  await emptyDirectory(directory, flags);
  const stack = await firstStackFor(context, flags);
  const request = {
    ...{ template, directory, name, description, stack },
    runtimeOptions: optionsOf(flags.runtimeOptions),
    force: flags.force,
    install: !flags.generateOnly,
    made: (what: 'project' | 'stack') => tellMade(context, what, name, directory, stack),
  };
  const ports = makingPorts({ ...context, cwd: directory }, flags);
  await projectFromTemplate(ports, request, templateAnswers(context, flags));
  if (template.quickstart !== '') context.stderr.write(`\n${template.quickstart}\n`);
  tellNext(context, flags, [...(flags.generateOnly ? ['cairn install'] : []), 'cairn up']);
  return EXIT.ok;
}

async function newProject(template: string, flags: ProjectFlags, context: CommandContext): Promise<number> {
  const directory = path.resolve(context.cwd, flags.dir ?? '.');
  const name = checkedProjectName(
    flags.name ?? (await answered(context, flags, 'Name of the project', nameFrom(directory))),
  );
  await emptyDirectory(directory, flags);
  const stack = await firstStackFor(context, flags);
  await cp(path.join(packageDirectory(), 'templates', template), directory, { recursive: true });
  await writeProject(directory, name, flags.description, TEMPLATES[template]?.main ?? 'index.ts');
  tellMade(context, 'project', name, directory, stack);
  const ports = makingPorts({ ...context, cwd: directory }, flags);
  if (stack !== undefined)
    await firstStack(ports, stack, [], {}, (what) => tellMade(context, what, name, directory, stack));
  const wanted = !flags.generateOnly && !(await dependenciesAreThere(directory));
  if (wanted) await installDependencies(ports, await loadProject(directory), { versionTools: false });
  tellNext(context, flags, flags.generateOnly ? ['npm install', 'cairn up'] : ['cairn up']);
  return EXIT.ok;
}

async function newPackage(
  template: PackageTemplate,
  flags: PackageFlags,
  context: CommandContext,
): Promise<number> {
  const directory = path.resolve(context.cwd, flags.dir ?? '.');
  const name = checkedPackageName(
    flags.name ?? (await answered(context, flags, 'Name of the package', nameFrom(directory))),
  );
  await emptyDirectory(directory, flags);
  const version = `^${cairnVersion()}`;
  const source = path.join(packageDirectory(), 'templates', template);
  await writePackageTemplate(template, source, directory, { name, description: flags.description, version });
  context.stderr.write(`Created package ${name} in ${directory}\n`);
  const installs = !flags.generateOnly && !(await dependenciesAreThere(directory));
  if (installs) await installPackage(makingPorts(context, flags), directory, { runtime: 'nodejs' });
  const { next } = PACKAGE_TEMPLATES[template];
  const first = flags.generateOnly ? ['npm install'] : [];
  tellNext(context, flags, [...first, 'npm test', ...(next === undefined ? [] : [next])]);
  return EXIT.ok;
}

/** Prints the next commands. Scripts written for the other tool look for them under its name, on stdout. */
function tellNext(context: CommandContext, flags: Texts<'dir'>, commands: readonly string[]): void {
  const dir = flags.dir;
  const alias = isAlias(context);
  const named = alias ? commands.map((command) => command.replace(/^cairn /, `${ALIAS} `)) : commands;
  const lines = [...(dir === undefined ? [] : [`cd ${dir}`]), ...named];
  context[alias ? 'stdout' : 'stderr'].write(`\nNext:\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

async function emptyDirectory(directory: string, flags: Switches<'force'>): Promise<void> {
  await mkdir(directory, { recursive: true });
  const present = await readdir(directory);
  if (present.length === 0 || flags.force) return;
  throw cairnError('CAIRN-USAGE', `${directory} is not empty`, {
    hint: 'Pass --dir to name another directory, or --force to write into this one.',
  });
}

/** Returns the first stack of a new project, or undefined if only its files were requested. */
async function firstStackFor(context: CommandContext, flags: ProjectFlags): Promise<FirstStack | undefined> {
  if (flags.generateOnly) return undefined;
  const name = flags.stack ?? (await answered(context, flags, 'Name of the stack', 'dev'));
  return {
    name: checkedStackReference(name, context.env).stack,
    choice: stackChoice(flags),
    secretsProvider: flags.secretsProvider,
    given: flags.config,
    asPaths: flags.configPath,
  };
}

function tellMade(
  { stderr }: CommandContext,
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
async function answered(
  context: CommandContext,
  flags: Switches<'yes'>,
  question: string,
  usual: string,
): Promise<string> {
  if (flags.yes || !context.terminal.interactive) return usual;
  return (await askText(context, question, usual)) ?? cancelled();
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
