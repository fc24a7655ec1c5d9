import path from 'node:path';
import type { PackageModel } from '@cairn/codegen';
import { cairnError } from '@cairn/diagnostics';
import { commitOf } from '@cairn/plugin-host/install';
import { savePackage } from '@cairn/workspace';
import type { Project, RecordedPackage } from '@cairn/workspace';
import { programInfo } from '../access/program-info.js';
import { outputPassedOn, passedOn } from '../making.js';
import type { WrittenPackage } from '../making.js';
import type { Ports } from '../ports.js';
import { addByLanguage } from './add-by-language.js';
import { addDependency } from './add-dependency.js';
import { checkedModel, schemaOfOther } from './obtain-schema.js';
import { languageSchema } from './language-schema.js';
import { packageLanguage } from './package-language.js';
import type { PackageUser } from './package-user.js';
import type { ObtainedPackage } from './obtain-schema.js';
import { referencesOf } from './references.js';
import { writePackage } from './write-package.js';

/** A package that was added to a project. */
interface PackageAddition {
  readonly model: PackageModel;
  /** Written files; `undefined` if the plugin of the program's language has written them. */
  readonly written: WrittenPackage | undefined;
  /** Import instructions for users of other languages. */
  readonly instructions: string;
}

/** Adds a package: its code in `sdks` of its user, the package among the dependencies, and in the file. */
export async function addPackage(
  ports: Ports,
  { project, records }: PackageUser,
  obtained: ObtainedPackage,
): Promise<PackageAddition> {
  const model = checkedModel(ports, obtained);
  refuseEmpty(model, obtained);
  refuseUnservable(model, obtained);
  const { directory } = project.location;
  const folder = path.join(directory, 'sdks', model.name);
  const language = await packageLanguage(ports, project);
  if (language !== undefined) {
    const instructions = await addInLanguage(ports, project, language, model, obtained);
    if (records) await record(project, model, obtained);
    return { model, written: undefined, instructions };
  }
  const references = await referencesOf(ports, model, path.join(directory, 'sdks'));
  const written = await writePackage(model, folder, { sdkVersion: ports.version, references });
  await addDependency(programInfo(project).programDirectory, written.npmName, folder);
  if (records) await record(project, model, obtained);
  ports.interaction.making?.({ t: 'package', model, folder, written });
  return { model, written, instructions: '' };
}

/** Lets the plugin of the program's language make the code of a package. */
async function addInLanguage(
  ports: Ports,
  project: Project,
  runtime: string,
  model: PackageModel,
  obtained: ObtainedPackage,
): Promise<string> {
  const { schema, folder: name } = languageSchema(obtained.schema, model.name, model.version);
  const folder = path.join(project.location.directory, 'sdks', name);
  const [onOutput, onMessage] = [outputPassedOn(ports), passedOn(ports)];
  const base = model.base && { ...model.base, value: Buffer.from(model.base.value, 'base64') };
  const { warnings, instructions } = await addByLanguage(ports, {
    ...{ project, runtime, info: programInfo(project), folder, base },
    ...{ name: model.name, version: model.version, schema },
    server: model.base?.pluginDownloadURL ?? model.pluginDownloadURL,
    schemaOf: schemaOfOther(ports),
    onOutput: (_stream, text) => onOutput('stderr', text),
    onMessage: ({ severity, text }) => onMessage({ severity, text }),
  });
  const { making } = ports.interaction;
  for (const { summary, detail } of warnings) making?.({ t: 'warning', summary, detail });
  making?.({ t: 'package', model, folder, written: undefined });
  return instructions.trim();
}

/** Refuses an empty package: a plugin that only becomes a package with parameters has nothing of its own. */
function refuseEmpty(
  { resources, functions, overlays }: PackageModel,
  { parameters, source }: ObtainedPackage,
): void {
  const has = resources.length + functions.length + overlays.length;
  if (has > 0 || parameters.length > 0 || source.t === 'schema') return;
  throw cairnError('CAIRN-USAGE', `the plugin ${source.name} has neither resources nor functions`, {
    hint: `If it needs parameters to become a package, pass them: \`cairn package add ${source.name} PARAMETER…\`.`,
  });
}

/** Refuses a package with parameters whose schema does not describe them, because it could not be run. */
function refuseUnservable(model: PackageModel, { parameters, source }: ObtainedPackage): void {
  if (parameters.length === 0 || model.base !== undefined || source.t === 'schema') return;
  throw cairnError(
    'CAIRN-SCHEMA-INVALID',
    `the plugin ${source.name} does not say how it becomes ${model.name}`,
    {
      causes: ['/parameterization: is missing. Programs need it to request a parameterized package'],
      hint: 'Report it to the authors of the plugin.',
    },
  );
}

/** Records the package in the project file. A package made from a schema has no plugin. */
async function record(project: Project, model: PackageModel, obtained: ObtainedPackage): Promise<void> {
  const { source, parameters, pluginVersion } = obtained;
  if (source.t === 'schema') return;
  const { directory } = project.location;
  const version = source.t === 'folder' ? undefined : (source.version ?? (pluginVersion || undefined));
  const recorded: RecordedPackage = {
    source: source.t === 'folder' ? relativePath(directory, source.path) : source.name,
    // From git, a commit is recorded as such.
    version: source.t === 'git' ? (commitOf(version) ?? version) : version,
    parameters,
  };
  await savePackage(project.location, model.name, recorded);
}

/** Returns a path that is recognisable as a folder. */
function relativePath(from: string, to: string): string {
  const relative = path.relative(from, to).split(path.sep).join('/');
  return relative.startsWith('..') ? relative : `./${relative}`;
}
