import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { CairnError, cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { describeExit, startProcess, within } from '@cairn/processes';
import { COMPATIBLE_VERSION, isStatusError } from '@cairn/wire';
import type { Analyzer, AnalyzerStack } from '@cairn/wire';
import { AnalyzerClient } from '@cairn/wire/analyzer-client';
import { StreamCaller, watchedCaller } from '@cairn/wire/caller';
import semver from 'semver';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';
import { untilReady } from '../connection/greet.js';
import { readPluginManifest } from '../discovery/plugin-manifest.js';
import type { PluginManifest } from '../discovery/plugin-manifest.js';
import { startedByLanguage, untilListening } from '../launch/listening.js';
import type { ListeningProcess, PluginOutputListener, Started } from '../launch/listening.js';
import { addressKindOf, languageFor } from '../language/language-for.js';
import { PluginOutput } from '../launch/plugin-output.js';
import { withoutLimit } from '../options.js';
import type { AddressKind, PluginHostOptions, PluginLimits } from '../options.js';

/** Context for starting a policy pack. */
interface PackContext {
  readonly options: PluginHostOptions;
  readonly limits: PluginLimits;
  /**
   * Returns the address of the engine service, for a pack that runs on Node or for one that may not know socket files.
   */
  readonly engineAddress: (knows: AddressKind) => string;
  readonly stack: AnalyzerStack;
  /** Aborted when the host closes. */
  readonly signal: AbortSignal;
  /** Notified when a pack ends without having been asked to. */
  readonly onDeath: (pack: string, text: string) => void;
}

/** Location of a pack: a directory with a manifest, or an executable. */
interface PackLocation {
  readonly path: string;
  /** Undefined for an executable. */
  readonly manifest: PluginManifest | undefined;
}

/**
 * Starts a policy pack: handshake, then the stack [POL-1]. Its `close` ends the process. Fails with CAIRN-POLICY-PACK,
 * and then leaves no process running.
 */
export async function startPolicyPack(context: PackContext, path: string): Promise<Analyzer> {
  const { options, stack, signal } = context;
  const debugged = options.observed?.debugs?.(basename(path)) === true;
  const limits = debugged ? withoutLimit(context.limits) : context.limits;
  const output = new PluginOutput(basename(path), 'shown', options.onMessage);
  const failure = (why: string, cause?: unknown): CairnError => packError(path, why, output, cause);
  const location = await locate(path, failure);
  const knows =
    location.manifest === undefined ? 'ports' : await addressKindOf(options, path, 'PulumiPolicy.yaml');
  const engineAddress = context.engineAddress(knows);
  const portMs = location.manifest === undefined ? limits.portMs : limits.sourcePortMs;
  const process = await untilListening({ limits: { portMs }, output, signal, failure }, (onOutput) =>
    launch(context, location, engineAddress, onOutput, failure),
  );
  const analyzer = connect(context, basename(path), process, output);
  try {
    await untilReady(
      () =>
        analyzer.handshake({
          engineAddress,
          directory: directoryOf(location),
        }),
      limits,
      basename(path),
      (error) => isStatusError(error, 'UNAVAILABLE'),
    );
    await analyzer.configureStack(stack);
    await analyzer.getPluginInfo();
    return withVersion(analyzer, location.manifest?.version);
  } catch (error) {
    await analyzer.close();
    throw failure(messageOf(error), error);
  }
}

function connect(
  { options, limits, onDeath }: PackContext,
  name: string,
  process: ListeningProcess,
  output: PluginOutput,
): AnalyzerClient {
  let leaving = false;
  void process.exit.then((exit) => {
    if (!leaving) onDeath(name, [`the policy pack ended with ${exit}`, ...output.lastLines(20)].join('\n'));
  });
  const peer = { mode: 'client', kind: 'analyzer', name } as const;
  const caller = watchedCaller(new StreamCaller(`127.0.0.1:${process.port}`), peer, options.observed?.calls);
  const client = new AnalyzerClient(caller, { onClose: () => process.stop() });
  const close = client.close.bind(client);
  client.close = async () => {
    leaving = true;
    if (process.ended() === undefined)
      await within(
        client.cancel().catch(() => {}),
        limits.closeCancelMs,
      );
    await close();
  };
  return client;
}

async function locate(path: string, failure: (why: string) => CairnError): Promise<PackLocation> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return { path, manifest: undefined };
  if (found === undefined) throw failure('there is no such directory');
  const manifest = await readPluginManifest(path, 'PulumiPolicy.yaml');
  if (manifest === undefined) throw failure('it has no PulumiPolicy.yaml');
  const range = manifest.requiredPulumiVersion;
  if (
    range !== undefined &&
    !(semver.validRange(range) !== null && semver.satisfies(COMPATIBLE_VERSION, range))
  )
    throw failure(
      `it requires a Pulumi version in ${range}, but this engine behaves as ${COMPATIBLE_VERSION}`,
    );
  return { path, manifest };
}

const directoryOf = ({ path, manifest }: PackLocation): string =>
  manifest === undefined ? dirname(path) : path;

async function launch(
  context: PackContext,
  location: PackLocation,
  engineAddress: string,
  onOutput: PluginOutputListener,
  failure: (why: string, cause?: unknown) => CairnError,
): Promise<Started> {
  const { options, limits, stack } = context;
  const env = { ...packEnvironment(options.environment, stack), ...options.observed?.variables };
  const args = [...(options.observed?.arguments ?? []), engineAddress];
  const { path, manifest } = location;
  if (manifest === undefined) {
    const group = await startProcess({
      command: path,
      args,
      cwd: options.programDirectory,
      env,
      onOutput,
    }).catch((error: unknown) => {
      throw failure(messageOf(error), error);
    });
    return {
      exit: group.exit.then(describeExit),
      stop: async () => void (await group.stop(limits.interruptGraceMs)),
    };
  }
  const { runtime } = manifest;
  if (runtime === undefined) throw failure('its PulumiPolicy.yaml does not name a runtime');
  const host = await languageFor(options, runtime, `cannot start the policy pack ${path}`).catch(
    (error: unknown) => {
      throw withCode(error, 'CAIRN-POLICY-PACK');
    },
  );
  return startedByLanguage(
    host.runPlugin({
      kind: 'analyzer',
      name: basename(path),
      pluginDirectory: path,
      options: manifest.options,
      workingDirectory: path,
      args,
      env,
      attachDebugger: options.observed?.debugs?.(basename(path)) === true,
      engineAddress,
      onOutput,
    }),
  );
}

/** Gives other errors of a pack its own code too. */
function withCode(error: unknown, code: string): unknown {
  if (!isCairnError(error)) return error;
  return new CairnError(
    error.diagnostics.map((one) => ({ ...one, code })),
    { cause: error },
  );
}

/** Returns an analyzer whose version is the manifest's, which wins over the one that the pack reports [POL-1]. */
function withVersion(analyzer: AnalyzerClient, version: string | undefined): Analyzer {
  if (version === undefined) return analyzer;
  const info = analyzer.getAnalyzerInfo.bind(analyzer);
  analyzer.getAnalyzerInfo = async () => ({ ...(await info()), version });
  return analyzer;
}

function packError(path: string, why: string, output: PluginOutput, cause: unknown): CairnError {
  return cairnError(
    'CAIRN-POLICY-PACK',
    `cannot start the policy pack ${path}: ${why}`,
    {
      causes: output.lastLines(20),
      hint: 'Nothing was changed. Run `npm install` in the directory of the pack if its packages are missing.',
    },
    cause,
  );
}

/** Returns the whole environment of a policy pack: ours, plus variables about the stack [PLUG-10] [POL-1]. */
function packEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { organization, project, stack, dryRun, config }: AnalyzerStack,
): Record<string, string> {
  const inherited = Object.entries(withoutOwnSecrets(environment)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const names = { ORGANIZATION: organization, PROJECT: project, STACK: stack, DRY_RUN: String(dryRun) };
  const told = Object.entries(names).flatMap(([name, value]) => [
    [`PULUMI_${name}`, value] as const,
    [`PULUMI_NODEJS_${name}`, value] as const,
  ]);
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(told),
    PULUMI_CONFIG: JSON.stringify(config),
  };
}
