import type { OwnProgram } from '@cairn/operations/stacks';
import type { InlineProgram } from '../program.js';
import type { SdkRuntime } from './parts.js';

/**
 * Returns the program in the form that operations run. `directory` is the base of its relative paths. `endAfterMs` is
 * the time it may wait with nothing under way.
 */
export function programPort(
  program: InlineProgram,
  { runFunction }: SdkRuntime,
  directory: string,
  endAfterMs: number | undefined,
): OwnProgram {
  const start: OwnProgram['start'] = ({ monitor, engine, ...settings }) => {
    const abort = new AbortController();
    const { stack, dryRun: preview } = settings;
    const running = runFunction(() => program({ stack, preview, signal: abort.signal }), {
      ...{ monitor, engine, settings },
      directory,
      patience: { endAfterMs },
    });
    return {
      finished: running.finished.then((how) => {
        if (how !== 'ok') abort.abort();
        if (how === 'stopped') return { t: 'failed', message: 'The program was cancelled' };
        return how === 'ok' ? { t: 'ok', endsWithOutputs: true } : { t: 'bail' };
      }),
      stop: () => {
        running.stop();
        abort.abort();
      },
    };
  };
  return { directory, start };
}
