import process from 'node:process';
import type { Ports } from '@cairn/operations/stacks';
import type { InlineProgram } from '../program.js';
import type { SdkRuntime } from './parts.js';

/** The program as operations run it. The SDK that runs it must have been loaded. */
export function programPort(
  program: InlineProgram,
  { runFunction }: SdkRuntime,
): NonNullable<Ports['program']> {
  return ({ monitor, engine, ...settings }) => {
    const abort = new AbortController();
    const { stack, dryRun: preview } = settings;
    const running = runFunction(() => program({ stack, preview, signal: abort.signal }), {
      ...{ monitor, engine, settings },
      directory: process.cwd(),
    });
    return {
      finished: running.finished.then((how) => {
        if (how !== 'ok') abort.abort();
        if (how === 'stopped') return { t: 'failed', message: 'The program was cancelled' };
        return how === 'ok' ? { t: 'ok', endsWithOutputs: true } : { t: 'bail' };
      }),
      stop: () => running.stop(),
    };
  };
}
