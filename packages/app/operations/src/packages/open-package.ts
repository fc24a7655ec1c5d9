import { fail, isCairnError, messageOf } from '@cairn/diagnostics';
import { createPluginHost } from '@cairn/plugin-host';
import type { PluginHost, PluginMessage, ProjectPlugin } from '@cairn/plugin-host';
import { gitPlace } from '@cairn/plugin-host/install';
import { isProviderError } from '@cairn/wire';
import type { EngineService, Provider } from '@cairn/wire';
import { engineService } from '@cairn/wire/engine-server';
import { healthService, sameUserGuard, startServer } from '@cairn/wire/server';
import type { RunningServer, Service } from '@cairn/wire/server';
import type { Project } from '@cairn/workspace';
import { builtInLanguage, languagePlaces, stopLimits } from '../languages/languages.js';
import { observed } from '../ports.js';
import type { Ports } from '../ports.js';
import type { PackageSource } from './package-source.js';

/** What is needed to start the plugin of a package. */
export interface PackagePlugin {
  readonly source: Exclude<PackageSource, { readonly t: 'schema' }>;
  /** What turns the plugin into another package; empty: nothing does. */
  readonly parameters: readonly string[];
  /** Where the plugin may be downloaded from. Absent: not said. */
  readonly server?: string | undefined;
  /** The project whose plugins are looked at first. */
  readonly project: Project | undefined;
  /** Directory whose npm packages are looked at. */
  readonly programDirectory: string;
  /** Told what the plugin writes. */
  readonly onMessage: (message: PluginMessage) => void;
}

/** A plugin that has been started and told its parameters. */
export interface OpenedPackage {
  readonly provider: Provider;
  /** The version that the plugin has; empty: it has none. */
  readonly version: string;
  /** What the parameters have made of it; undefined: there were none. */
  readonly subpackage: { readonly name: string; readonly version: string } | undefined;
}

/**
 * Starts the plugin of a package for some questions, and ends it after them. No stack is opened. What the plugin
 * refuses to answer is its fault, and told as that.
 */
export async function withPackage<T>(
  ports: Ports,
  wanted: PackagePlugin,
  questions: (opened: OpenedPackage) => Promise<T>,
): Promise<T> {
  const engine = await listeningEngine(wanted);
  const plugins = pluginHost(ports, wanted, engine.address);
  try {
    const { source, parameters } = wanted;
    const provider = await plugins.load({
      ...placeOf(wanted),
      version: source.t === 'folder' ? undefined : source.version,
      checksums: {},
      parameterization: undefined,
      envVarMappings: {},
      neededBy: undefined,
    });
    const { version } = await provider.getPluginInfo();
    const subpackage =
      parameters.length === 0
        ? undefined
        : await provider
            .parameterize({ parameters: { kind: 'args', args: parameters } })
            .catch((error: unknown) => notTaken(source.name, parameters, error));
    return await questions({ provider, version: version.replace(/^v/, ''), subpackage }).catch(
      (error: unknown) => refused(error, source.name),
    );
  } finally {
    await plugins.close();
    await engine.close();
  }
}

/** By what name and from where a plugin is loaded. */
function placeOf({ source, server }: PackagePlugin): {
  readonly package: string;
  readonly downloadUrl: string | undefined;
} {
  if (source.t !== 'git') return { package: source.name, downloadUrl: server };
  const downloadUrl = gitUrl(source);
  return { package: gitPlace(downloadUrl)?.name ?? source.name, downloadUrl };
}

/** Where a plugin in git is downloaded from, as schemas and programs say it. */
export function gitUrl({ name }: { readonly name: string }): string {
  return `git://${name}`;
}

function refused(error: unknown, plugin: string): never {
  if (!isProviderError(error) || 'diagnostics' in error) throw error;
  return fail('CAIRN-PROVIDER-ANSWER', `the plugin ${plugin} answered with an error`, {
    causes: [messageOf(error)],
    hint: 'correct what it was asked about, or report it to the authors of the plugin',
  });
}

/** What a plugin of ours says about its parameters is told as it is. */
function notTaken(plugin: string, parameters: readonly string[], error: unknown): never {
  if (isCairnError(error)) throw error;
  return fail('CAIRN-PLUGIN-START', `the plugin ${plugin} does not take ${parameters.join(' ')}`, {
    causes: [messageOf(error)],
    hint: 'read the documentation of the plugin, or leave the parameters out',
  });
}

/** Plugins dial an engine as soon as they are started, and send it what they have to say. */
function listeningEngine({ source, onMessage }: PackagePlugin): Promise<RunningServer> {
  return serveBeside(source.name, onMessage, []);
}

/** Serves the engine service outside an operation, with others beside it. `plugin`: whose messages come. */
export function serveBeside(
  plugin: string,
  onMessage: (message: PluginMessage) => void,
  services: readonly Service[],
): Promise<RunningServer> {
  const service: EngineService = {
    log: async ({ severity, message, streamId }) =>
      onMessage({ severity, plugin, text: message, streamId, urn: undefined }),
    getRootResource: async () => '',
    setRootResource: async () => {},
    startDebugging: async () => {},
    requirePulumiVersion: async () => {},
  };
  const guard = sameUserGuard({
    takesUnknown: () => true,
    onRefused: (who) =>
      onMessage({
        severity: 'warning',
        plugin,
        text: `${who} was refused`,
        streamId: 0,
        urn: undefined,
      }),
  });
  return startServer({
    services: [engineService(service), ...services, healthService()],
    stream: true,
    guard,
  });
}

function pluginHost(ports: Ports, wanted: PackagePlugin, engineAddress: string): PluginHost {
  const { source } = wanted;
  const own = source.t === 'folder' ? [{ name: source.name, path: source.path, version: undefined }] : [];
  return hostBeside(ports, wanted, own, () => engineAddress);
}

/** Plugins outside an operation: those that are named, those of a project, and those that are installed. */
export function hostBeside(
  ports: Ports,
  { project, programDirectory, onMessage }: Pick<PackagePlugin, 'project' | 'programDirectory' | 'onMessage'>,
  own: readonly ProjectPlugin[],
  engineAddress: () => string,
): PluginHost {
  return createPluginHost({
    rootDirectory: project?.location.directory ?? ports.cwd,
    programDirectory,
    project: project?.name ?? '',
    engineAddress,
    config: {},
    runtimeOptions: project?.runtime?.options ?? {},
    projectPlugins: [...own, ...(project?.plugins.providers ?? [])],
    projectPackages: Object.fromEntries(
      [...(project?.packages ?? [])].map(([name, { text, source: from }]) => [name, text ?? from]),
    ),
    packageRoots: [...ports.packageRoots],
    bundledDirectories: [],
    environment: ports.env,
    limits: stopLimits(ports.env),
    languageHost: (runtime) => builtInLanguage(ports.env, runtime),
    languages: languagePlaces(ports, project),
    observed: observed(ports),
    onMessage,
  });
}
