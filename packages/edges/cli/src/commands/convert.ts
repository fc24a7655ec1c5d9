import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { generateProject } from '@cairn/language-node/tools';
import { withConverter } from '@cairn/operations';
import { loadProject } from '@cairn/workspace';
import { parse } from 'yaml';
import type { Command } from '../command-spec.js';
import type { Lists, Switches, Texts } from '../flags/flag-spec.js';
import type { StackFlags } from '../flags/operation.js';
import { tellProblems } from '../flows/convert-problems.js';
import { dependenciesAreThere, installDependencies, projectIfAny } from '@cairn/operations/packages';
import { makingPorts } from '../flows/making.js';
import { portsOf } from '../flows/ports.js';
import type { CommandContext } from '../command-context.js';

/** Languages of programs, with the runtime that a project names. */
const LANGUAGES: Readonly<Record<string, 'nodejs' | 'pcl'>> = {
  typescript: 'nodejs',
  nodejs: 'nodejs',
  pcl: 'pcl',
};

/** `convert` */
export const run: Command<
  Texts<'from' | 'language' | 'name' | 'out'> & Switches<'generateOnly'> & Lists<'mappings'>
> = async ({ args, flags }, context) => {
  const language = languageOf(flags.language);
  const from = flags.from ?? 'yaml';
  const out = path.resolve(context.cwd, flags.out ?? '.');
  await refuseFilled(context, out);
  const pcl = await mkdtemp(path.join(tmpdir(), 'cairn-convert-'));
  try {
    await translated(
      context,
      flags,
      from,
      pcl,
      out,
      args.filter((arg) => arg !== undefined),
      language,
    );
  } finally {
    await rm(pcl, { recursive: true, force: true });
  }
  context.stderr.write(`Wrote the program to ${path.relative(context.cwd, out) || '.'}\n`);
  if (language !== 'nodejs' || flags.generateOnly || (await dependenciesAreThere(out))) return EXIT.ok;
  const ports = makingPorts({ ...context, cwd: out }, flags);
  await installDependencies(ports, await loadProject(out), { versionTools: false });
  return EXIT.ok;
};

function languageOf(text: string | undefined): 'nodejs' | 'pcl' {
  const language = text !== undefined && Object.hasOwn(LANGUAGES, text) ? LANGUAGES[text] : undefined;
  if (language !== undefined) return language;
  throw cairnError(
    'CAIRN-USAGE',
    text === undefined
      ? 'no target language was given'
      : `cannot convert programs to ${JSON.stringify(text)}`,
    { hint: 'Pass --language typescript, or --language pcl for the output of the converter.' },
  );
}

/**
 * Refuses a target with a Node project. Other files of the source may be in it; the target is usually the current
 * directory.
 */
async function refuseFilled(context: CommandContext, out: string): Promise<void> {
  const found = await stat(path.join(out, 'package.json')).catch(() => undefined);
  if (found === undefined) return;
  throw cairnError('CAIRN-USAGE', `${path.relative(context.cwd, out) || '.'} already has a package.json`, {
    hint: 'Name another directory with --out.',
  });
}

async function translated(
  context: CommandContext,
  flags: StackFlags & Lists<'mappings'> & Texts<'name'>,
  from: string,
  pcl: string,
  out: string,
  args: readonly string[],
  language: 'nodejs' | 'pcl',
): Promise<void> {
  const use = {
    name: from === 'pcl' ? undefined : from,
    project: await projectIfAny(context).catch(() => undefined),
    programDirectory: context.cwd,
    mappings: await mappingsOf(context, flags.mappings),
    onMessage: ({ text }: { readonly text: string }) => void context.stderr.write(`${text}\n`),
  };
  await withConverter(portsOf(context, flags), use, async ({ converter, address }) => {
    if (converter === undefined) await copyPcl(context.cwd, pcl);
    else {
      const request = {
        ...{ sourceDirectory: context.cwd, targetDirectory: pcl, projectDirectory: out, args },
        ...{ loaderAddress: address, mapperAddress: address },
      };
      const problems = await converter.convertProgram(request).catch((error: unknown) => {
        throw cairnError('CAIRN-PROVIDER-ANSWER', `the converter ${from} failed`, {
          causes: [messageOf(error)],
          hint: 'Correct the cause, or report it to the authors of the converter.',
        });
      });
      tellProblems(context, `the program cannot be converted from ${from}`, problems);
    }
    await mkdir(out, { recursive: true });
    if (language === 'pcl') return copyPcl(pcl, out, ['Pulumi.yaml']);
    const problems = await generateProject({
      ...{ sourceDirectory: pcl, targetDirectory: out, loaderAddress: address },
      project: await projectJson(pcl, flags.name ?? path.basename(context.cwd)),
      localDependencies: new Map(),
    });
    tellProblems(context, 'the program cannot be written in TypeScript', problems);
  });
}

/** Returns the project file that a converter made, with its new runtime. */
async function projectJson(directory: string, name: string): Promise<string> {
  const text = await readFile(path.join(directory, 'Pulumi.yaml'), 'utf8').catch(() => undefined);
  const made = (text === undefined ? {} : (parse(text) as Record<string, unknown> | null)) ?? {};
  return JSON.stringify({ ...made, name: made['name'] ?? name, runtime: 'nodejs' });
}

async function copyPcl(from: string, to: string, also: readonly string[] = []): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && (entry.name.endsWith('.pp') || also.includes(entry.name)))
    .map(({ parentPath, name }) => path.relative(from, path.join(parentPath, name)))
    .filter((file) => !file.split(path.sep).includes('node_modules'));
  if (files.length === 0)
    throw cairnError('CAIRN-USAGE', `${from} has no program in PCL`, {
      hint: 'Name a directory with .pp files.',
    });
  for (const file of files) await cp(path.join(from, file), path.join(to, file), { recursive: true });
  if (also.length > 0 && !files.includes('Pulumi.yaml'))
    await writeFile(path.join(to, 'Pulumi.yaml'), `name: ${path.basename(to)}\nruntime: pcl\n`);
}

/** Reads mapping files, which are JSON, by the provider that each names. */
async function mappingsOf(
  context: CommandContext,
  files: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const mappings = new Map<string, Uint8Array>();
  for (const file of files.flatMap((text) => text.split(','))) {
    const bytes = await readFile(path.resolve(context.cwd, file)).catch((error: unknown) => {
      throw cairnError('CAIRN-USAGE', `cannot read the mapping ${file}`, { causes: [messageOf(error)] });
    });
    mappings.set(providerOf(file, bytes.toString('utf8')), bytes);
  }
  return mappings;
}

function providerOf(file: string, text: string): string {
  try {
    const { name } = JSON.parse(text) as { readonly name?: unknown };
    if (typeof name === 'string' && name !== '') return name;
  } catch {
    // Reported below.
  }
  throw cairnError('CAIRN-USAGE', `the mapping ${file} does not name a provider`, {
    hint: 'Write the mapping as JSON with the `name` of the provider, as `cairn package get-mapping` does.',
  });
}
