import { cairnError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { describeExit, startProcess } from '@cairn/processes';
import type { Converter } from '@cairn/wire';
import { StreamCaller, watchedCaller } from '@cairn/wire/caller';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';
import { findCommand } from '../install/find-command.js';
import { untilListening } from '../launch/listening.js';
import { PluginOutput } from '../launch/plugin-output.js';
import { DEFAULT_PLUGIN_LIMITS } from '../options.js';
import type { Observed, PluginMessage } from '../options.js';

/** Name and environment of a converter to start. */
interface ConverterOptions {
  /** Language or tool that it reads, e.g. `yaml`. */
  readonly name: string;
  /** `127.0.0.1:<port>` of the engine service. */
  readonly engineAddress: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Observation of its calls. Without it, they are not observed. */
  readonly observed?: Observed | undefined;
  /** Receives its output. */
  readonly onMessage: (message: PluginMessage) => void;
}

/** Running converter. */
interface StartedConverter {
  readonly converter: Converter;
  /** Ends its process. Never throws. */
  close(): Promise<void>;
}

/**
 * Starts the plugin `pulumi-converter-<name>`, from the PATH or a plugin cache. Fails with CAIRN-PLUGIN-NOT-FOUND or
 * CAIRN-PLUGIN-START, and then leaves no process running.
 */
export async function startConverter(options: ConverterOptions): Promise<StartedConverter> {
  const { name, environment, engineAddress, cwd, observed, onMessage } = options;
  const command = await findCommand({ kind: 'converter', name }, environment);
  if (command === undefined)
    throw cairnError('CAIRN-PLUGIN-NOT-FOUND', `cannot find the converter ${name}`, {
      causes: [`no pulumi-converter-${name} is on the PATH or in a plugin cache`],
      hint: `Run \`cairn plugin install converter ${name}\`.`,
    });
  const { ConverterClient } = await import('@cairn/wire/converter-client');
  const output = new PluginOutput(name, 'shown', onMessage);
  const failure = (why: string): CairnError =>
    cairnError('CAIRN-PLUGIN-START', `cannot start the converter ${name}`, {
      causes: [...why.split('\n'), ...output.lastLines(20)],
      hint: `Check the installation of ${command}.`,
    });
  const signal = new AbortController().signal;
  const process = await untilListening(
    { limits: DEFAULT_PLUGIN_LIMITS, output, signal, failure },
    async (onOutput) => {
      const env = { ...withoutOwnSecrets(environment), ...observed?.variables };
      const group = await startProcess({
        command,
        args: [...(observed?.arguments ?? []), engineAddress],
        cwd,
        env,
        onOutput,
      }).catch((error: unknown) => {
        throw failure(messageOf(error));
      });
      return {
        exit: group.exit.then(describeExit),
        stop: async (graceMs = DEFAULT_PLUGIN_LIMITS.interruptGraceMs) => {
          await group.stop(graceMs);
        },
      };
    },
  );
  const peer = { mode: 'client', kind: 'converter', name } as const;
  const caller = watchedCaller(new StreamCaller(`127.0.0.1:${process.port}`), peer, observed?.calls);
  return {
    converter: new ConverterClient(caller),
    close: async () => {
      caller.close();
      await process.stop().catch(() => undefined);
    },
  };
}
