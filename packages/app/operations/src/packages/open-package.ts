import { fail, isCairnError, messageOf } from '@cairn/diagnostics';
import { createPluginHost, messageService, refusalMessages } from '@cairn/plugin-host';
import type { PluginHost, PluginMessage, ProjectPlugin } from '@cairn/plugin-host';
import { gitPlace } from '@cairn/plugin-host/install';
import { isProviderError } from '@cairn/wire';
import type { Provider } from '@cairn/wire';
import { engineService } from '@cairn/wire/engine-server';
import { healthService, sameUserGuard, startServer } from '@cairn/wire/server';
import type { RunningServer, Service } from '@cairn/wire/server';
import type { Project } from '@cairn/workspace';
import { hostSettings } from '../languages/host-settings.js';
import { observed } from '../ports.js';
import type { Ports } from '../ports.js';
import type { PackageSource } from './package-source.js';

/** Requirements to start the plugin of a package. */
export interface PackagePlugin {
  readonly source: Exclude<PackageSource, { readonly t: 'schema' }>;
  /** Parameters that turn the plugin into another package; empty for none. */
  readonly parameters: readonly string[];
  /** Server to download the plugin from. Optional. */
  readonly server?: string | undefined;
  /** Project whose plugins are searched first. */
  readonly project: Project | undefined;
  /** Directory whose npm packages are searched. */
  readonly programDirectory: string;
  /** Receives output of the plugin. */
  readonly onMessage: (message: PluginMessage) => void;
}

/** A plugin that has started and received its parameters. */
export interface OpenedPackage {
  readonly provider: Provider;
  /** The version of the plugin; empty if it has none. */
  readonly version: string;
  /** Package made from the parameters; `undefined` if there were none. */
  readonly subpackage: { readonly name: string; readonly version: string } | undefined;
}

/**
 * Starts the plugin of a package for some questions, and ends it after them. Opens no stack. If the plugin refuses to
 * answer, the error names the plugin as the cause.
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

/** Returns the name and address with which a plugin is loaded. */
function placeOf({ source, server }: PackagePlugin): {
  readonly package: string;
  readonly downloadUrl: string | undefined;
} {
  if (source.t !== 'git') return { package: source.name, downloadUrl: server };
  const downloadUrl = gitUrl(source);
  return { package: gitPlace(downloadUrl)?.name ?? source.name, downloadUrl };
}

/** Returns the address of a plugin in git, in the form of schemas and programs. */
export function gitUrl({ name }: { readonly name: string }): string {
  return `git://${name}`;
}

function refused(error: unknown, plugin: string): never {
  if (!isProviderError(error) || 'diagnostics' in error) throw error;
  return fail('CAIRN-PROVIDER-ANSWER', `the plugin ${plugin} failed`, {
    causes: [messageOf(error)],
    hint: 'Correct the cause, or report it to the authors of the plugin.',
  });
}

/** Throws the error about parameters. That of one of our plugins remains as it is. */
function notTaken(plugin: string, parameters: readonly string[], error: unknown): never {
  if (isCairnError(error)) throw error;
  return fail('CAIRN-PLUGIN-START', `the plugin ${plugin} does not take ${parameters.join(' ')}`, {
    causes: [messageOf(error)],
    hint: 'Read the documentation of the plugin, or leave the parameters out.',
  });
}

/** Starts an engine for the plugin: plugins connect to it as soon as they start, and send it their messages. */
function listeningEngine({ source, onMessage }: PackagePlugin): Promise<RunningServer> {
  return serveEngineService(source.name, onMessage, []);
}

/** Serves the engine service outside an operation, with other services. `plugin` is the sender of messages. */
export function serveEngineService(
  plugin: string,
  onMessage: (message: PluginMessage) => void,
  services: readonly Service[],
): Promise<RunningServer> {
  return startServer({
    services: [engineService(messageService(plugin, onMessage)), ...services, healthService()],
    stream: true,
    guard: sameUserGuard(refusalMessages(plugin, onMessage)),
  });
}

function pluginHost(ports: Ports, wanted: PackagePlugin, engineAddress: string): PluginHost {
  const { source } = wanted;
  const own = source.t === 'folder' ? [{ name: source.name, path: source.path, version: undefined }] : [];
  return hostBeside(ports, wanted, own, () => engineAddress);
}

/** Returns plugins outside an operation: the named ones, those of a project, and the installed ones. */
export function hostBeside(
  ports: Ports,
  { project, programDirectory, onMessage }: Pick<PackagePlugin, 'project' | 'programDirectory' | 'onMessage'>,
  own: readonly ProjectPlugin[],
  engineAddress: () => string,
): PluginHost {
  return createPluginHost({
    rootDirectory: project?.location.directory ?? ports.cwd,
    programDirectory,
    ...hostSettings(ports, project),
    engineAddress,
    config: {},
    projectPlugins: [...own, ...(project?.plugins.providers ?? [])],
    observed: observed(ports),
    onMessage,
  });
}
