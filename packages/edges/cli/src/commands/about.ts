import { readFile } from 'node:fs/promises';
import { hostname, release, userInfo } from 'node:os';
import { ORGANIZATION } from '@cairn/backends';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { programInfo, runsNode, withLanguage } from '@cairn/operations';
import { backendHere, chosenStackName } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import type { Json } from '@cairn/state';
import { findProject, loadProject } from '@cairn/workspace';
import type { BackendOrigin, Project } from '@cairn/workspace';
import type { Command, Flags } from '../command-spec.js';
import { BACKEND_ORIGINS } from '../session/backend-origins.js';
import { withStack } from '../session/open-stack.js';
import { projectPlugins } from '@cairn/operations/packages';
import { makingPorts } from '../session/making.js';
import { portsOf } from '../session/ports.js';
import { stackChoice } from '../session/stack-choice.js';
import { cairnVersion } from '../session/version.js';
import { aliasVersion, isAlias } from '../terminal/called-as.js';
import { alignedLines } from '../terminal/columns.js';
import { printJson } from '../terminal/json-output.js';
import type { World } from '../world.js';

/**
 * Information about the place where a command runs. Null means that it is unknown; `errors` gives the reason if it
 * should be known.
 */
interface About {
  readonly plugins:
    readonly { readonly kind: string; readonly name: string; readonly version: string | null }[] | null;
  readonly host: { readonly os: string; readonly version: string; readonly arch: string };
  readonly backend: { readonly name: string; readonly url: string; readonly user: string } | null;
  readonly stack: AboutStack | null;
  readonly runtime: Readonly<Record<string, string>> | null;
  readonly dependencies: readonly { readonly name: string; readonly version: string }[] | null;
  readonly project: string | undefined;
  /** Place where the URL of the backend is set. */
  readonly origin: BackendOrigin | undefined;
  readonly errors: readonly string[];
}

interface AboutStack {
  readonly name: string;
  readonly fullyQualifiedName: string;
  readonly resources: readonly AboutResource[];
  readonly pendingOps: readonly AboutResource[];
}

interface AboutResource {
  readonly type: string;
  readonly urn: string;
}

/** `about` */
export const run: Command = async ({ flags }, world) => {
  const output = flags.text('output') ?? 'default';
  if (output !== 'default' && output !== 'json')
    throw cairnError('CAIRN-USAGE', `--output takes default or json, not ${JSON.stringify(output)}`);
  const about = await gathered(world, flags);
  if (flags.on('json') || output === 'json')
    printJson(world, asJson(about, isAlias(world) ? aliasVersion(cairnVersion()) : cairnVersion()));
  else print(world, about);
  return EXIT.ok;
};

/** Gathers as much as possible; one failed lookup does not hide the rest. */
async function gathered(world: World, flags: Flags): Promise<About> {
  const errors: string[] = [];
  const attempt = async <T>(what: string, find: () => Promise<T>): Promise<T | null> => {
    try {
      return await find();
    } catch (error) {
      errors.push(`${what}: ${messageOf(error)}`);
      return null;
    }
  };
  const project = await attempt('Failed to read project', () => projectHere(world));
  const found = await attempt('Could not access the backend', () => backendOf(world, flags));
  return {
    host: await hostFacts(),
    backend: found === null ? null : found.backend,
    origin: found?.origin,
    stack: await attempt('Failed to get information about the current stack', () => stackOf(world, flags)),
    project: project?.name,
    plugins:
      project &&
      (await attempt('Failed to get information about the plugin', () => pluginsOf(world, flags, project))),
    runtime:
      project &&
      (await attempt('Failed to get information about the project runtime', () =>
        runtimeOf(world, flags, project),
      )),
    dependencies:
      project &&
      (await attempt("Failed to get information about the Pulumi program's dependencies", () =>
        dependenciesOf(world, flags, project),
      )),
    errors,
  };
}

async function projectHere(world: World): Promise<Project> {
  if ((await findProject(world.cwd)) !== undefined) return loadProject(world.cwd);
  throw cairnError('CAIRN-PROJECT-MISSING', `no project file in ${world.cwd} or above it`);
}

async function hostFacts(): Promise<About['host']> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(text)?.[1];
  return {
    os: field('ID') ?? process.platform,
    version: field('VERSION_ID') ?? release(),
    arch: process.arch === 'x64' ? 'x86_64' : process.arch,
  };
}

async function backendOf(world: World, flags: Flags) {
  const { choice } = await backendHere(portsOf(world, flags), stackChoice(flags));
  const user = userInfo().username;
  return { backend: { name: backendName(choice.url), url: choice.url, user }, origin: choice.origin };
}

/** Names a backend: a service by its host, a folder or a bucket by the machine that the command runs on. */
function backendName(url: string): string {
  return /^https?:/.test(url) ? new URL(url).host : hostname();
}

async function stackOf(world: World, flags: Flags): Promise<AboutStack | null> {
  const ports = portsOf(world, flags);
  const { project } = await backendHere(ports, stackChoice(flags));
  const name = project && (await chosenStackName(ports, stackChoice(flags), project));
  if (name === undefined) throw cairnError('CAIRN-STACK-NOT-FOUND', 'No current stack');
  return withStack(world, flags, async ({ backend, id }) => {
    const { deployment } = await backend.read(id, { integrity: 'skip' });
    return {
      name: id.stack,
      fullyQualifiedName: `${ORGANIZATION}/${id.project}/${id.stack}`,
      resources: (deployment?.resources ?? []).map(({ type, urn }) => ({ type, urn })),
      pendingOps: (deployment?.pendingOperations ?? []).map(({ resource: { type, urn } }) => ({
        type,
        urn,
      })),
    };
  });
}

async function pluginsOf(world: World, flags: Flags, project: Project): Promise<About['plugins']> {
  const needed = (await projectPlugins(makingPorts(world, flags))).map(
    ({ plugin: { kind, name, version } }) => ({
      ...{ kind, name },
      version: version ?? null,
    }),
  );
  return [...needed, ...(await languageOf(world, flags, project))].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the language that runs the program. Under the name of the other tool, Cairn's own language reports the
 * version that the command does.
 */
async function languageOf(
  world: World,
  flags: Flags,
  project: Project,
): Promise<NonNullable<About['plugins']>> {
  const name = project.runtime?.name;
  if (name === undefined) return [];
  const { version } = await asked(world, flags, project, (language) => language.getPluginInfo());
  const told = runsNode(name) && isAlias(world) ? aliasVersion(version) : version;
  return [{ kind: 'language', name, version: told === '' ? null : told }];
}

async function runtimeOf(world: World, flags: Flags, project: Project): Promise<About['runtime']> {
  const { runtime } = project;
  if (runtime === undefined) return null;
  const told = await asked(world, flags, project, (language, info) => language.about(info));
  if (told === undefined) return { language: runtime.name };
  return { ...told.metadata, executable: told.executable, language: runtime.name, version: told.version };
}

async function dependenciesOf(world: World, flags: Flags, project: Project): Promise<About['dependencies']> {
  if (project.runtime === undefined) return null;
  return asked(world, flags, project, (language, info) =>
    language.getProgramDependencies(info, flags.on('transitive')),
  );
}

type Asking<T> = (
  language: Parameters<Parameters<typeof withLanguage>[2]>[0],
  info: ReturnType<typeof programInfo>,
) => Promise<T>;

function asked<T>(world: World, flags: Flags, project: Project, ask: Asking<T>): Promise<T> {
  const info = programInfo(project);
  const use = {
    ...{ runtime: project.runtime?.name ?? '', info, project },
    onMessage: ({ text }: { readonly text: string }) => void world.stderr.write(`${text}\n`),
  };
  return withLanguage(portsOf(world, flags), use, (language) => ask(language, info));
}

function asJson(about: About, version: string): Json {
  const structs = <T extends object>(rows: readonly T[] | null) =>
    rows === null ? null : rows.map((row) => goStruct(row as never));
  const { host, backend, stack, runtime, errors } = about;
  return goStruct({
    plugins: structs(about.plugins),
    host: goStruct(host),
    backend: backend && goStruct({ ...backend, organizations: null }),
    currentStack:
      stack &&
      goStruct({
        ...{ name: stack.name, fullyQualifiedName: stack.fullyQualifiedName },
        ...{ resources: structs(stack.resources), pendingOps: structs(stack.pendingOps) },
      }),
    // No member is about Go, which this command does not contain.
    cliAbout: goStruct({ version, node: process.versions.node }),
    runtime,
    dependencies: structs(about.dependencies),
    errors: [...errors],
  } as never);
}

function print(world: World, about: About): void {
  const { host, backend, stack, runtime, dependencies, plugins, errors, project, origin } = about;
  const facts = {
    cairn: cairnVersion(),
    node: process.versions.node,
    os: `${host.os} ${host.version} ${host.arch}`,
    ...(backend && { backend: `${backend.url} (chosen by ${origin && BACKEND_ORIGINS[origin]})` }),
    ...(project !== undefined && {
      project,
      runtime: runtime === null ? 'none' : runtimeText(runtime),
      stack:
        stack === null
          ? 'none selected'
          : `${stack.name}, ${stack.resources.length} resource${stack.resources.length === 1 ? '' : 's'}`,
    }),
  };
  for (const [name, value] of Object.entries(facts)) world.stdout.write(`${name.padEnd(8)} ${value}\n`);
  table(
    world,
    'Plugins',
    (plugins ?? []).map(({ kind, name, version }) => [kind, name, version ?? '']),
  );
  table(
    world,
    'Dependencies',
    (dependencies ?? []).map(({ name, version }) => [name, version]),
  );
  if (stack !== null && stack.pendingOps.length > 0)
    table(
      world,
      'Pending operations',
      stack.pendingOps.map(({ type, urn }) => [type, urn]),
    );
  for (const error of errors.filter((text) => !text.endsWith('No current stack')))
    world.stderr.write(`warning: ${error}\n`);
}

/** Describes the language with its version, and with the other facts it reports. */
function runtimeText({
  language,
  version,
  executable: _,
  ...rest
}: Readonly<Record<string, string>>): string {
  const more = Object.entries(rest)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}='${value}'`);
  return [language, version, ...more].filter(Boolean).join(' ');
}

function table(world: World, title: string, rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  world.stdout.write(`\n${title}\n`);
  for (const line of alignedLines(rows)) world.stdout.write(`  ${line}\n`);
}
