import path from 'node:path';
import type { PackageModel } from '@cairn/codegen';
import { cairnError } from '@cairn/diagnostics';
import { addByLanguage, programInfo } from '@cairn/operations';
import { commitOf } from '@cairn/plugin-host/install';
import { savePackage } from '@cairn/workspace';
import type { Project, RecordedPackage } from '@cairn/workspace';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { portsOf } from '../ports.js';
import { addDependency } from './add-dependency.js';
import { checkedModel, schemaOfOther } from './obtain-schema.js';
import { languageSchema } from './language-schema.js';
import { packageLanguage } from './package-language.js';
import type { PackageUser } from './package-user.js';
import type { ObtainedPackage } from './obtain-schema.js';
import { referencesOf } from './references.js';
import { writePackage } from './write-package.js';
import type { WrittenPackage } from './write-package.js';

/** A package that a project has now. */
export interface AddedPackage {
  readonly model: PackageModel;
  /** Undefined: the plugin of the program's language has written it. */
  readonly written: WrittenPackage | undefined;
  /** How programs in other languages import it, for people. */
  readonly instructions: string;
}

/** Has the code of a package in `sdks` of what uses it, the package among its dependencies, and in its file. */
export async function addPackage(
  world: World,
  flags: Flags,
  { project, records }: PackageUser,
  obtained: ObtainedPackage,
): Promise<AddedPackage> {
  const model = checkedModel(world, obtained);
  refuseEmpty(model, obtained);
  refuseUnservable(model, obtained);
  const { directory } = project.location;
  const folder = path.join(directory, 'sdks', model.name);
  const language = await packageLanguage(world, flags, project);
  if (language !== undefined) {
    const instructions = await addInLanguage(world, flags, project, language, model, obtained);
    if (records) await record(project, model, obtained);
    return { model, written: undefined, instructions };
  }
  const references = await referencesOf(world, flags, model, path.join(directory, 'sdks'));
  const written = await writePackage(model, folder, references);
  await addDependency(programInfo(project).programDirectory, written.npmName, folder);
  if (records) await record(project, model, obtained);
  world.stderr.write(`${packageSummary(model, written, path.relative(world.cwd, folder) || '.')}\n`);
  return { model, written, instructions: '' };
}

/** The code of a package, made by the plugin of the program's language. */
async function addInLanguage(
  world: World,
  flags: Flags,
  project: Project,
  runtime: string,
  model: PackageModel,
  obtained: ObtainedPackage,
): Promise<string> {
  const { schema, folder: name } = languageSchema(obtained.schema, model.name, model.version);
  const folder = path.join(project.location.directory, 'sdks', name);
  const base = model.base && { ...model.base, value: Buffer.from(model.base.value, 'base64') };
  const { warnings, instructions } = await addByLanguage(portsOf(world, flags), {
    ...{ project, runtime, info: programInfo(project), folder, base },
    ...{ name: model.name, version: model.version, schema },
    server: model.base?.pluginDownloadURL ?? model.pluginDownloadURL,
    schemaOf: schemaOfOther(world, flags),
    onOutput: (_stream, text) => void world.stderr.write(text),
    onMessage: ({ severity, text }) => {
      if (severity !== 'debug' || world.terminal.debug) world.stderr.write(`${text}\n`);
    },
  });
  for (const { summary, detail } of warnings)
    world.stderr.write(`warning: ${detail === '' ? summary : `${summary}: ${detail}`}\n`);
  const where = path.relative(world.cwd, folder) || '.';
  world.stderr.write(`Generated ${model.name} ${model.version} in ${where}: ${counts(model)}\n`);
  return instructions.trim();
}

/** A plugin that only its parameters make a package has nothing of its own. */
function refuseEmpty(
  { resources, functions, overlays }: PackageModel,
  { parameters, source }: ObtainedPackage,
): void {
  const has = resources.length + functions.length + overlays.length;
  if (has > 0 || parameters.length > 0 || source.t === 'schema') return;
  throw cairnError('CAIRN-USAGE', `the plugin ${source.name} has neither resources nor functions`, {
    hint: `if it becomes a package by parameters, give them: \`cairn package add ${source.name} PARAMETER…\``,
  });
}

/** What has parameters but does not say in its schema how to be made again could not be run. */
function refuseUnservable(model: PackageModel, { parameters, source }: ObtainedPackage): void {
  if (parameters.length === 0 || model.base !== undefined || source.t === 'schema') return;
  throw cairnError(
    'CAIRN-SCHEMA-INVALID',
    `the plugin ${source.name} does not say how it becomes ${model.name}`,
    {
      causes: [
        '/parameterization: is missing. A package that parameters make needs it, so that programs can ask for it',
      ],
      hint: 'report it to the authors of the plugin',
    },
  );
}

/** In the project file; a schema comes from no plugin. */
async function record(project: Project, model: PackageModel, obtained: ObtainedPackage): Promise<void> {
  const { source, parameters, pluginVersion } = obtained;
  if (source.t === 'schema') return;
  const { directory } = project.location;
  const version = source.t === 'folder' ? undefined : (source.version ?? (pluginVersion || undefined));
  const recorded: RecordedPackage = {
    source: source.t === 'folder' ? relativePath(directory, source.path) : source.name,
    // Of git, a commit is recorded as such.
    version: source.t === 'git' ? (commitOf(version) ?? version) : version,
    parameters,
  };
  await savePackage(project.location, model.name, recorded);
}

/** Of a folder, in the form that says that it is one. */
function relativePath(from: string, to: string): string {
  const relative = path.relative(from, to).split(path.sep).join('/');
  return relative.startsWith('..') ? relative : `./${relative}`;
}

/** What has become of the folder of a package. */
export function packageSummary(
  model: PackageModel,
  { npmName, written, removed, unchanged }: WrittenPackage,
  folder: string,
): string {
  const files =
    written === 0 && removed === 0
      ? 'nothing has changed'
      : `${written} files written, ${removed} removed, ${unchanged} unchanged`;
  return `Generated ${npmName} ${model.version} in ${folder}: ${counts(model)}; ${files}`;
}

/** How much a package has. */
export function counts({ resources, functions, overlays }: PackageModel): string {
  const left = overlays.length === 0 ? '' : `, ${overlays.length} left out as overlays`;
  return `${plural(resources.length, 'resource')}, ${plural(functions.length, 'function')}${left}`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
