import { readFile } from 'node:fs/promises';
import { hostname, release } from 'node:os';
import { fullStackName } from '@cairn/backends';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { programInfo, runsNode, withLanguage } from '@cairn/operations';
import { accountAt, backendHere, chosenStack } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import type { Json } from '@cairn/state';
import { findProject, loadProject } from '@cairn/workspace';
import type { BackendOrigin, Project } from '@cairn/workspace';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import type { StackFlags } from '../flags/operation.js';
import { BACKEND_ORIGINS } from '../flows/backend-origins.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { projectPlugins } from '@cairn/operations/packages';
import { makingPorts } from '../flows/making.js';
import { portsOf } from '../flows/ports.js';
import { stackChoice } from '../flows/stack-choice.js';
import { cairnVersion } from '../flows/version.js';
import { aliasVersion, isAlias } from '../terminal/called-as.js';
import { alignedLines } from '../terminal/columns.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandContext } from '../command-context.js';

/**
 * Information about the place where a command runs. Null means that it is unknown; `errors` gives the reason if it
 * should be known.
 */
interface About {
  readonly plugins:
    readonly { readonly kind: string; readonly name: string; readonly version: string | null }[] | null;
  readonly host: { readonly os: string; readonly version: string; readonly arch: string };
  readonly backend: {
    readonly name: string;
    readonly url: string;
    readonly user: string;
    readonly organizations: readonly string[];
  } | null;
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
export const run: Command<Switches<'json' | 'transitive'> & Texts<'output'>> = async ({ flags }, context) => {
  const output = flags.output ?? 'default';
  if (output !== 'default' && output !== 'json')
    throw cairnError('CAIRN-USAGE', `--output takes default or json, not ${JSON.stringify(output)}`);
  const about = await gathered(context, flags);
  if (flags.json || output === 'json')
    printJson(context, asJson(about, isAlias(context) ? aliasVersion(cairnVersion()) : cairnVersion()));
  else print(context, about);
  return EXIT.ok;
};

/** Gathers as much as possible; one failed lookup does not hide the rest. */
async function gathered(context: CommandContext, flags: StackFlags & Switches<'transitive'>): Promise<About> {
  const errors: string[] = [];
  const attempt = async <T>(what: string, find: () => Promise<T>): Promise<T | null> => {
    try {
      return await find();
    } catch (error) {
      errors.push(`${what}: ${messageOf(error)}`);
      return null;
    }
  };
  const project = await attempt('Failed to read project', () => projectHere(context));
  const found = await attempt('Could not access the backend', () => backendOf(context, flags));
  return {
    host: await hostFacts(),
    backend: found === null ? null : found.backend,
    origin: found?.origin,
    stack: await attempt('Failed to get information about the current stack', () => stackOf(context, flags)),
    project: project?.name,
    plugins:
      project &&
      (await attempt('Failed to get information about the plugin', () => pluginsOf(context, flags, project))),
    runtime:
      project &&
      (await attempt('Failed to get information about the project runtime', () =>
        runtimeOf(context, flags, project),
      )),
    dependencies:
      project &&
      (await attempt("Failed to get information about the Pulumi program's dependencies", () =>
        dependenciesOf(context, flags, project),
      )),
    errors,
  };
}

async function projectHere(context: CommandContext): Promise<Project> {
  if ((await findProject(context.cwd)) !== undefined) return loadProject(context.cwd);
  throw cairnError('CAIRN-PROJECT-MISSING', `no project file in ${context.cwd} or above it`);
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

async function backendOf(context: CommandContext, flags: StackFlags) {
  const ports = portsOf(context, flags);
  const { choice } = await backendHere(ports, stackChoice(flags));
  const { username: user, organizations } = await accountAt(ports, choice.url);
  return {
    backend: { name: backendName(choice.url), url: choice.url, user, organizations },
    origin: choice.origin,
  };
}

/** Names a backend: a service by its host, a folder or a bucket by the machine that the command runs on. */
function backendName(url: string): string {
  return /^https?:/.test(url) ? new URL(url).host : hostname();
}

async function stackOf(context: CommandContext, flags: StackFlags): Promise<AboutStack | null> {
  const ports = portsOf(context, flags);
  const { project } = await backendHere(ports, stackChoice(flags));
  const name = project && (await chosenStack(ports, stackChoice(flags), project));
  if (name === undefined) throw cairnError('CAIRN-STACK-NOT-FOUND', 'No current stack');
  return withStackForFlags(context, flags, async ({ backend, id }) => {
    const { deployment } = await backend.read(id, { integrity: 'skip' });
    return {
      name: id.stack,
      fullyQualifiedName: fullStackName(id),
      resources: (deployment?.resources ?? []).map(({ type, urn }) => ({ type, urn })),
      pendingOps: (deployment?.pendingOperations ?? []).map(({ resource: { type, urn } }) => ({
        type,
        urn,
      })),
    };
  });
}

async function pluginsOf(
  context: CommandContext,
  flags: StackFlags,
  project: Project,
): Promise<About['plugins']> {
  const needed = (await projectPlugins(makingPorts(context, flags))).map(
    ({ plugin: { kind, name, version } }) => ({
      ...{ kind, name },
      version: version ?? null,
    }),
  );
  return [...needed, ...(await languageOf(context, flags, project))].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/**
 * Returns the language that runs the program. Under the name of the other tool, Cairn's own language reports the
 * version that the command does.
 */
async function languageOf(
  context: CommandContext,
  flags: StackFlags,
  project: Project,
): Promise<NonNullable<About['plugins']>> {
  const name = project.runtime?.name;
  if (name === undefined) return [];
  const { version } = await asked(context, flags, project, (language) => language.getPluginInfo());
  const told = runsNode(name) && isAlias(context) ? aliasVersion(version) : version;
  return [{ kind: 'language', name, version: told === '' ? null : told }];
}

async function runtimeOf(
  context: CommandContext,
  flags: StackFlags,
  project: Project,
): Promise<About['runtime']> {
  const { runtime } = project;
  if (runtime === undefined) return null;
  const told = await asked(context, flags, project, (language, info) => language.about(info));
  if (told === undefined) return { language: runtime.name };
  return { ...told.metadata, executable: told.executable, language: runtime.name, version: told.version };
}

async function dependenciesOf(
  context: CommandContext,
  flags: StackFlags & Switches<'transitive'>,
  project: Project,
): Promise<About['dependencies']> {
  if (project.runtime === undefined) return null;
  return asked(context, flags, project, (language, info) =>
    language.getProgramDependencies(info, flags.transitive),
  );
}

type Asking<T> = (
  language: Parameters<Parameters<typeof withLanguage>[2]>[0],
  info: ReturnType<typeof programInfo>,
) => Promise<T>;

function asked<T>(context: CommandContext, flags: StackFlags, project: Project, ask: Asking<T>): Promise<T> {
  const info = programInfo(project);
  const use = {
    ...{ runtime: project.runtime?.name ?? '', info, project },
    onMessage: ({ text }: { readonly text: string }) => void context.stderr.write(`${text}\n`),
  };
  return withLanguage(portsOf(context, flags), use, (language) => ask(language, info));
}

function asJson(about: About, version: string): Json {
  const structs = <T extends object>(rows: readonly T[] | null) =>
    rows === null ? null : rows.map((row) => goStruct(row as never));
  const { host, backend, stack, runtime, errors } = about;
  return goStruct({
    plugins: structs(about.plugins),
    host: goStruct(host),
    backend:
      backend &&
      goStruct({
        ...backend,
        organizations: backend.organizations.length === 0 ? null : backend.organizations,
      }),
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

function print(context: CommandContext, about: About): void {
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
  for (const [name, value] of Object.entries(facts)) context.stdout.write(`${name.padEnd(8)} ${value}\n`);
  table(
    context,
    'Plugins',
    (plugins ?? []).map(({ kind, name, version }) => [kind, name, version ?? '']),
  );
  table(
    context,
    'Dependencies',
    (dependencies ?? []).map(({ name, version }) => [name, version]),
  );
  if (stack !== null && stack.pendingOps.length > 0)
    table(
      context,
      'Pending operations',
      stack.pendingOps.map(({ type, urn }) => [type, urn]),
    );
  for (const error of errors.filter((text) => !text.endsWith('No current stack')))
    context.stderr.write(`warning: ${error}\n`);
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

function table(context: CommandContext, title: string, rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  context.stdout.write(`\n${title}\n`);
  for (const line of alignedLines(rows)) context.stdout.write(`  ${line}\n`);
}
