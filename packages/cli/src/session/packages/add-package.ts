import path from 'node:path';
import type { PackageModel } from '@cairn/codegen';
import { cairnError } from '@cairn/diagnostics';
import { programInfo } from '@cairn/operations';
import { savePackage } from '@cairn/workspace';
import type { Project, RecordedPackage } from '@cairn/workspace';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { addDependency } from './add-dependency.js';
import { checkedModel } from './obtain-schema.js';
import type { ObtainedPackage } from './obtain-schema.js';
import { referencesOf } from './references.js';
import { writePackage } from './write-package.js';
import type { WrittenPackage } from './write-package.js';

/** Has the code of a package in `sdks` of the project, and the package among its dependencies. */
export async function addPackage(
  world: World,
  flags: Flags,
  project: Project,
  obtained: ObtainedPackage,
): Promise<{ readonly model: PackageModel; readonly written: WrittenPackage }> {
  const model = checkedModel(world, obtained);
  refuseEmpty(model, obtained);
  refuseUnservable(model, obtained);
  const { directory } = project.location;
  const folder = path.join(directory, 'sdks', model.name);
  const references = await referencesOf(world, flags, model, path.join(directory, 'sdks'));
  const written = await writePackage(model, folder, references);
  await addDependency(programInfo(project).programDirectory, written.npmName, folder);
  await record(project, model, obtained);
  world.stderr.write(`${packageSummary(model, written, path.relative(world.cwd, folder) || '.')}\n`);
  return { model, written };
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

async function record(project: Project, model: PackageModel, obtained: ObtainedPackage): Promise<void> {
  const { source, parameters, pluginVersion } = obtained;
  if (source.t === 'schema') return;
  const { directory } = project.location;
  const recorded: RecordedPackage =
    source.t === 'folder'
      ? { source: relativePath(directory, source.path), parameters }
      : { source: source.name, version: source.version ?? (pluginVersion || undefined), parameters };
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
