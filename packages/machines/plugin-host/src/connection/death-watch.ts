import type { Urn } from '@cairn/addresses';
import { isProviderError, PluginDiedError } from '@cairn/wire';
import { within } from '@cairn/processes';
import type { PluginOutput } from '../launch/plugin-output.js';
import type { PluginProcess } from '../launch/plugin-process.js';
import type { Around } from './around.js';

/** Facts about the process behind a provider. */
interface WatchedProcess {
  readonly plugin: string;
  readonly process: PluginProcess;
  readonly output: PluginOutput;
  /** Milliseconds between a failed call and the news that the process has ended. */
  readonly exitNewsMs: number;
}

/** Distinguishes calls that fail because the process has ended from calls that the provider refuses. */
interface DeathWatch {
  /** Makes calls fail with {@link PluginDiedError} when the process is gone, or ends before they are answered. */
  readonly around: Around;
  /** Returns true if a call is under way, which then reports the death. */
  readonly busy: () => boolean;
  /** Returns true if the process has ever answered a call. */
  readonly hasAnswered: () => boolean;
}

/** Watches one process. */
export function watchForDeath(watched: WatchedProcess): DeathWatch {
  const { process, exitNewsMs } = watched;
  let calls = 0;
  let answered = false;
  const around: Around = async (name, urn, call) => {
    const before = process.ended();
    if (before !== undefined) throw died(watched, name, before, false, urn);
    calls += 1;
    try {
      const answer = await call();
      answered = true;
      return answer;
    } catch (error) {
      if (!isProviderError(error) || !LOST.has(error.code)) throw error;
      const exit = await within(process.exit, exitNewsMs);
      if (exit === undefined) throw error;
      throw died(watched, name, exit, true, urn);
    } finally {
      calls -= 1;
    }
  };
  return { around, busy: () => calls > 0, hasAnswered: () => answered };
}

/** Error codes of a call whose connection is lost. */
const LOST: ReadonlySet<string> = new Set(['UNAVAILABLE', 'CANCELLED']);

function died(
  { plugin, output }: WatchedProcess,
  call: string,
  exit: string,
  during: boolean,
  urn: Urn | undefined,
): PluginDiedError {
  const summary = during
    ? `the provider plugin ${plugin} ended with ${exit} during ${call}`
    : `cannot call ${call}: the provider plugin ${plugin} has ended with ${exit}`;
  return new PluginDiedError(summary, during, {
    urn,
    causes: output.lastLines(20),
    hint: `Run the command again; if it happens again, report it to the authors of ${plugin} with the output above.`,
  });
}
