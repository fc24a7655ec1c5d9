import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { describeExit, startProcess, within } from '@cairn/processes';
import { isStatusError } from '@cairn/wire';
import type { Caller } from '@cairn/wire/caller';
import { Http2Caller, watchedCaller } from '@cairn/wire/caller';
import { LanguageClient } from '@cairn/wire/language-client';
import { untilReady } from '../connection/greet.js';
import { untilListening } from '../launch/listening.js';
import type { ListeningProcess, PluginOutputListener } from '../launch/listening.js';
import { PluginOutput } from '../launch/plugin-output.js';
import { installationHint, notStarted } from '../launch/start-error.js';
import type { Observed, PluginLimits, PluginMessage } from '../options.js';
import { startEngineRelay } from './engine-relay.js';
import type { EngineRelay } from './engine-relay.js';
import type { LanguageLocation } from './find-language.js';

/** Context for starting a language plugin. */
interface LanguageLaunch {
  readonly runtime: string;
  readonly programDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: PluginLimits;
  /** Observation of its calls. */
  readonly observed: Observed | undefined;
  /** Aborted when the plugin is abandoned. */
  readonly signal: AbortSignal;
  readonly onMessage: (message: PluginMessage) => void;
}

/** Language plugin that has been greeted. */
export interface LanguageConnection {
  readonly client: LanguageClient;
  readonly relay: EngineRelay;
  readonly version: string;
  /** Redirects its output from now on. Undefined: it goes to the messages of plugins. */
  divert(to: PluginOutputListener | undefined): void;
  /** Resolves when its output so far was passed on. */
  quiet(): Promise<void>;
  /** Interrupts it, and kills it when it still runs after the grace time. Never throws. */
  stop(graceMs: number): Promise<void>;
}

/** Starts a language plugin, or connects to one that runs, and greets it. A failure leaves no process running. */
export async function connectLanguage(
  launch: LanguageLaunch,
  location: LanguageLocation,
): Promise<LanguageConnection> {
  const { runtime, onMessage } = launch;
  const relay = await startEngineRelay(runtime, onMessage);
  const output = new PluginOutput(runtime, 'hidden', onMessage);
  let diverted: PluginOutputListener | undefined;
  let written = 0;
  const onOutput: PluginOutputListener = (stream, text) => {
    written += 1;
    if (diverted === undefined) output.write(stream, text);
    else diverted(stream, text);
  };
  let process: ListeningProcess | undefined;
  let caller: Caller | undefined;
  const stop = async (graceMs: number): Promise<void> => {
    caller?.close();
    await process?.stop(graceMs);
    await relay.close();
  };
  try {
    if (location.kind === 'executable')
      process = await listening(launch, location.path, relay.address, output, onOutput);
    const port = location.kind === 'executable' ? process?.port : location.port;
    const peer = { mode: 'client', kind: 'language', runtime } as const;
    const heard = watchedCaller(new Http2Caller(`127.0.0.1:${port}`), peer, launch.observed?.calls);
    caller = watched(heard, launch, process, output);
    const client = new LanguageClient(caller);
    if (location.kind === 'attached') await client.handshake(relay.address);
    const version = await greeted(client, launch);
    return {
      client,
      relay,
      version,
      divert: (to) => (diverted = to),
      quiet: () => untilQuiet(() => written),
      stop,
    };
  } catch (error) {
    await stop(launch.limits.interruptGraceMs);
    throw isCairnError(error) ? error : startError(launch, messageOf(error), output, error);
  }
}

/** Returns the version of the plugin. Also accepts versions of the protocol without information about plugins. */
async function greeted(client: LanguageClient, { limits, runtime }: LanguageLaunch): Promise<string> {
  try {
    const info = await untilReady(
      () => client.getPluginInfo(),
      limits,
      runtime,
      (error) => isStatusError(error, 'UNAVAILABLE'),
    );
    return info.version;
  } catch (error) {
    if (isStatusError(error, 'UNIMPLEMENTED')) return '';
    throw error;
  }
}

async function listening(
  launch: LanguageLaunch,
  path: string,
  engineAddress: string,
  output: PluginOutput,
  onOutput: PluginOutputListener,
): Promise<ListeningProcess> {
  const { limits, signal, programDirectory, environment, observed } = launch;
  const failure = (why: string, cause?: unknown): CairnError => startError(launch, why, output, cause);
  return untilListening({ limits, output, signal, failure, onOutput }, async (toOutput) => {
    const group = await startProcess({
      command: path,
      args: [...(observed?.arguments ?? []), engineAddress],
      cwd: programDirectory,
      env: { ...environment, ...observed?.variables },
      onOutput: toOutput,
    }).catch((error: unknown) => {
      throw failure(messageOf(error), error);
    });
    return {
      exit: group.exit.then(describeExit),
      stop: async (graceMs = limits.interruptGraceMs) => void (await group.stop(graceMs)),
    };
  });
}

/** Wraps a caller so that calls that fail because the process has ended say so. */
function watched(
  inner: Caller,
  { runtime, limits }: LanguageLaunch,
  process: ListeningProcess | undefined,
  output: PluginOutput,
): Caller {
  const explained = async (path: string, error: unknown): Promise<unknown> => {
    if (process === undefined || !(isStatusError(error, 'UNAVAILABLE') || isStatusError(error, 'CANCELLED')))
      return error;
    const exit = await within(process.exit, limits.exitNewsMs);
    if (exit === undefined) return error;
    const call = path.slice(path.lastIndexOf('/') + 1);
    return cairnError(
      'CAIRN-PLUGIN-DIED',
      `the language plugin ${runtime} ended with ${exit} during ${call}`,
      {
        causes: output.lastLines(20),
        hint: `Run the command again; if it happens again, check the installation of pulumi-language-${runtime}.`,
      },
    );
  };
  return {
    unary: (path, body, options) =>
      inner.unary(path, body, options).catch(async (error: unknown) => {
        throw await explained(path, error);
      }),
    serverStream: async function* (path, body, options) {
      try {
        yield* inner.serverStream(path, body, options);
      } catch (error) {
        throw await explained(path, error);
      }
    },
    close: () => inner.close(),
  };
}

function startError(
  { runtime }: LanguageLaunch,
  why: string,
  output: PluginOutput,
  cause?: unknown,
): CairnError {
  const hint = installationHint(`pulumi-language-${runtime}`);
  return notStarted(`language plugin ${runtime}`, { why, output, hint }, cause);
}

/**
 * Waits for output of a process that has ended, which is still in the pipes. Two rounds of the loop without output have
 * read it all.
 */
async function untilQuiet(written: () => number): Promise<void> {
  for (let still = 0; still < 2;) {
    const before = written();
    await new Promise((resolve) => setTimeout(resolve, 1));
    still = written() === before ? still + 1 : 0;
  }
}
