import { COMPATIBLE_VERSION } from '@cairn/wire';
import type { HandshakeRequest } from '@cairn/wire';
import { dirname } from 'node:path';
import { isCairnError, messageOf, unreachable } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { describeExit, startProcess } from '@cairn/processes';
import semver from 'semver';
import type { PluginLocation } from '../discovery/plugin-location.js';
import { readPluginManifest } from '../discovery/plugin-manifest.js';
import type { PluginManifest } from '../discovery/plugin-manifest.js';
import { languageFor } from '../language/language-for.js';
import { withoutLimit } from '../options.js';
import type { PluginHostOptions } from '../options.js';
import { pluginName } from '../plugin-spec.js';
import { startedByLanguage, untilListening } from './listening.js';
import type { ListeningProcess, PluginOutputListener, Started } from './listening.js';
import { pluginEnvironment } from './plugin-environment.js';
import { startError } from './start-error.js';
import type { LaunchContext } from './start-error.js';

/** Locations that are run as a process. */
export type ProcessLocation = Exclude<PluginLocation, { kind: 'attached' | 'in-process' }>;

/** Plugin process that has said where it listens. */
export interface PluginProcess extends ListeningProcess {
  /** Directories that the plugin receives in the handshake. */
  readonly directories: Required<Pick<HandshakeRequest, 'rootDirectory' | 'programDirectory'>>;
}

/**
 * Starts a plugin and waits for its port [PLUG-4]. Fails with CAIRN-PLUGIN-START, and then leaves no process running.
 */
export async function launchPlugin(
  context: LaunchContext,
  location: ProcessLocation,
): Promise<PluginProcess> {
  const { output, signal } = context;
  const debugged = location.kind === 'directory' && isDebugged(context);
  const limits = debugged ? withoutLimit(context.limits) : context.limits;
  const hint =
    location.kind === 'directory'
      ? `check the plugin; run \`cairn install\` in ${location.path} to install its dependencies`
      : undefined;
  const failure = (why: string): CairnError => startError(context, why, undefined, hint);
  const portMs = location.kind === 'directory' ? limits.sourcePortMs : limits.portMs;
  const listening = { limits: { portMs }, output, signal, failure };
  const slow = setTimeout(() => tellSlow(context), limits.portMs);
  const process = await untilListening(listening, (onOutput) => start(context, location, onOutput)).finally(
    () => clearTimeout(slow),
  );
  return { ...process, directories: toldDirectories(context.options, location) };
}

/**
 * Returns the directories for the handshake: the plugin's own. A module that merely runs in its own process receives
 * the same as in our process.
 */
function toldDirectories(
  { rootDirectory, programDirectory }: PluginHostOptions,
  location: ProcessLocation,
): PluginProcess['directories'] {
  if (location.kind === 'served-module') return { rootDirectory, programDirectory };
  const directory = location.kind === 'directory' ? location.path : dirname(location.path);
  return { rootDirectory: directory, programDirectory: directory };
}

function isDebugged({ options, spec }: LaunchContext): boolean {
  return spec.forQuestions !== true && options.observed?.debugs?.(pluginName(spec)) === true;
}

function tellSlow({ options, limits, spec }: LaunchContext): void {
  const plugin = pluginName(spec);
  const text = `not started yet after ${limits.portMs / 1000} s: the language of its source may be compiling it`;
  options.onMessage({ severity: 'info', plugin, text, streamId: 0, urn: undefined });
}

function start(
  context: LaunchContext,
  location: ProcessLocation,
  onOutput: PluginOutputListener,
): Promise<Started> {
  switch (location.kind) {
    case 'executable':
      return startCommand(context, location.path, [], onOutput);
    case 'script':
      return startCommand(context, process.execPath, [location.path], onOutput);
    case 'served-module':
      return startCommand(context, process.execPath, [location.server, location.module], onOutput);
    case 'directory':
      return startByLanguage(context, location.path, onOutput);
    default:
      return unreachable(location);
  }
}

async function startCommand(
  context: LaunchContext,
  command: string,
  args: readonly string[],
  onOutput: PluginOutputListener,
): Promise<Started> {
  const { options, spec, addresses, limits } = context;
  const group = await startProcess({
    command,
    args: [...args, ...(options.observed?.arguments ?? []), addresses.engine],
    cwd: options.programDirectory,
    env: pluginEnvironment(options, spec),
    onOutput,
  }).catch((error: unknown) => {
    throw isCairnError(error) ? error : startError(context, messageOf(error), error);
  });
  return {
    exit: group.exit.then(describeExit),
    stop: async () => {
      await group.stop(context.abrupt() ? 0 : limits.interruptGraceMs);
    },
  };
}

async function startByLanguage(
  context: LaunchContext,
  directory: string,
  onOutput: PluginOutputListener,
): Promise<Started> {
  const { options, spec, addresses } = context;
  const { runtime, options: runtimeOptions } = await runtimeOf(context, directory);
  const name = pluginName(spec);
  const host = await languageFor(options, runtime, `cannot start the provider plugin ${name}`);
  return startedByLanguage(
    host.runPlugin({
      kind: 'resource',
      name,
      pluginDirectory: directory,
      options: runtimeOptions,
      workingDirectory: options.programDirectory,
      args: [...(options.observed?.arguments ?? []), addresses.engine],
      env: pluginEnvironment(options, spec),
      attachDebugger: isDebugged(context),
      engineAddress: addresses.engine,
      loaderAddress: addresses.loader === '' ? undefined : addresses.loader,
      onOutput,
    }),
  );
}

async function runtimeOf(
  context: LaunchContext,
  directory: string,
): Promise<{ readonly runtime: string; readonly options: PluginManifest['options'] }> {
  const manifest = await readPluginManifest(directory);
  const runtime = manifest?.runtime;
  if (runtime === undefined)
    throw startError(context, `${directory}/PulumiPlugin.yaml does not name a runtime`);
  const range = manifest?.requiredPulumiVersion;
  if (range !== undefined && !satisfied(range)) {
    throw startError(
      context,
      `it requires a Pulumi version in ${range}, but this engine behaves as ${COMPATIBLE_VERSION}`,
    );
  }
  return { runtime, options: manifest?.options ?? {} };
}

const satisfied = (range: string): boolean =>
  semver.validRange(range) !== null && semver.satisfies(COMPATIBLE_VERSION, range);
