import { readFile } from 'node:fs/promises';
import { readSchema } from '@cairn/codegen';
import type { PackageModel, SchemaProblem } from '@cairn/codegen';
import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { readPluginManifest } from '@cairn/plugin-host/install';
import { findProject, loadProject } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import { programInfo, runsNode } from '../access/program-info.js';
import { passedOn } from '../making.js';
import { dependenciesAreThere } from '../plugins/dependencies-there.js';
import { preparePlugin } from '../plugins/prepare-plugin.js';
import type { Ports } from '../ports.js';
import { schemaFromGit } from './git-schema.js';
import { gitUrl, withPackage } from './open-package.js';
import type { OpenedPackage, PackagePlugin } from './open-package.js';
import { packageOrigin } from './package-origin.js';
import type { PackageSource } from './package-source.js';

/** A package whose schema was obtained. */
export interface ObtainedPackage {
  readonly source: PackageSource;
  readonly parameters: readonly string[];
  /** The schema, as JSON. */
  readonly schema: string;
  /** The version of the plugin; empty if unknown. */
  readonly pluginVersion: string;
}

/** Returns the project here, if there is one. */
export async function projectIfAny(ports: Pick<Ports, 'cwd'>): Promise<Project | undefined> {
  return (await findProject(ports.cwd)) === undefined ? undefined : loadProject(ports.cwd);
}

/** A package as a user names it. */
export interface NamedPackage {
  /** NAME, NAME@VERSION, an address in git or a path. */
  readonly text: string;
  /** Parameters that turn the plugin into another package. */
  readonly parameters?: readonly string[] | undefined;
  /** Server to download the plugin from. */
  readonly server?: string | undefined;
}

/** Obtains the schema of a package: from a file, or from the plugin, which gets the parameters first. */
export async function obtainSchema(
  ports: Ports,
  { text, parameters = [], server }: NamedPackage,
): Promise<ObtainedPackage> {
  const source = await packageOrigin(ports, text, server);
  if (source.t === 'schema') {
    if (server !== undefined)
      throw cairnError('CAIRN-USAGE', '--server cannot be used with a schema in a file', {
        hint: 'Leave --server out, or name the plugin instead.',
      });
    if (parameters.length > 0)
      throw cairnError('CAIRN-USAGE', 'a schema in a file takes no parameters', {
        hint: 'Name the plugin that takes the parameters instead.',
      });
    return { source, parameters, schema: await schemaFile(source.path), pluginVersion: '' };
  }
  const ask = (): Promise<ObtainedPackage> => askSchema(ports, { source, parameters, server });
  return ask().catch(async (error: unknown) => {
    if (source.t !== 'folder' || !(await mayLackPackages(error, source.path))) throw error;
    ports.interaction.making?.({ t: 'dependencies', of: text });
    await preparePlugin(ports, source.path);
    return ask();
  });
}

/**
 * Tells whether a plugin in a folder failed to start, maybe because its dependencies are missing. For Node that can be
 * checked.
 */
async function mayLackPackages(error: unknown, folder: string): Promise<boolean> {
  if (!isCairnError(error)) return false;
  if (error.diagnostics[0]?.code !== 'CAIRN-PLUGIN-START') return false;
  const runtime = (await readPluginManifest(folder))?.runtime;
  if (runtime === undefined) return false;
  return !runsNode(runtime) || !(await dependenciesAreThere(folder).catch(() => true));
}

/** A package whose plugin is asked. */
type AskedPackage = Pick<PackagePlugin, 'source' | 'parameters' | 'server'>;

function askSchema(ports: Ports, asked: AskedPackage): Promise<ObtainedPackage> {
  const { source, parameters } = asked;
  return askPackage(ports, asked, async ({ provider, version, subpackage }) => {
    const sub = subpackage && { subpackageName: subpackage.name, subpackageVersion: subpackage.version };
    const schema = await provider.getSchema({ version: 0, ...sub }).catch((error: unknown) => {
      throw cairnError('CAIRN-PLUGIN-START', `the plugin ${source.name} has no schema`, {
        causes: [messageOf(error)],
        hint: 'Ask the authors of the plugin for a schema: code cannot be generated without one.',
      });
    });
    if (source.t !== 'git') return { source, parameters, schema, pluginVersion: version };
    const told = schemaFromGit(schema, { ...source, url: gitUrl(source) });
    return { source, parameters, schema: told, pluginVersion: source.version ?? version };
  });
}

/** Starts the plugin of a package for some questions. */
export async function askPackage<T>(
  ports: Ports,
  asked: AskedPackage,
  questions: (opened: OpenedPackage) => Promise<T>,
): Promise<T> {
  const project = await projectIfAny(ports);
  const programDirectory = project === undefined ? ports.cwd : programInfo(project).programDirectory;
  return withPackage(ports, { ...asked, project, programDirectory, onMessage: passedOn(ports) }, questions);
}

/** Returns a function that asks the plugin of another package for its schema; `version` may be empty. */
export function schemaOfOther(ports: Ports) {
  return async (name: string, version: string): Promise<string> =>
    (await obtainSchema(ports, { text: version === '' ? name : `${name}@${version}` })).schema;
}

/** Reads a schema from a file. */
async function schemaFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read ${path}`, { causes: [messageOf(error)] }, error);
  });
}

/**
 * Returns the package as the schema describes it. Errors of the schema are thrown; types that become general ones are
 * reported.
 */
export function checkedModel(ports: Ports, { schema, pluginVersion, source }: ObtainedPackage): PackageModel {
  // Its users cannot correct omissions of its authors; `schema check` is for those.
  const { model, problems } = readSchema(schema, 'warning');
  const name = model?.name ?? (source.t === 'schema' ? source.path : source.name);
  if (model === undefined) throw schemaError(`the schema of ${name}`, problems);
  for (const problem of problems) ports.interaction.making?.({ t: 'schema-problem', problem });
  return model.version === '' ? { ...model, version: pluginVersion } : model;
}

/** Number of problems shown; a file that is not a schema has thousands. */
const SHOWN = 50;

/** Returns the error that names every invalid place of a schema. */
export function schemaError(what: string, problems: readonly SchemaProblem[]): Error {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const more = errors.length > SHOWN ? [`and ${errors.length - SHOWN} more`] : [];
  return cairnError(
    'CAIRN-SCHEMA-INVALID',
    `${what} has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}`,
    {
      causes: [...errors.slice(0, SHOWN).map(problemText), ...more],
      hint: 'Correct these places, or report them to the authors of the package.',
    },
  );
}

/** Writes a problem on one line: place, cause, next action. */
export function problemText({ pointer, message, hint }: SchemaProblem): string {
  return `${pointer === '' ? '(the schema)' : pointer}: ${message}. ${hint}`;
}
