import type { ExitStatus } from '@cairn/processes';
import { describeExit } from '@cairn/processes';
import type { RunResult } from '@cairn/wire';

/** Exit code of a program that has reported its failure itself. */
const REPORTED = 32;

/**
 * Returns the result that the end of a program's process means [PRG-5]. `stderrTail` is the last part of its stderr.
 */
export function resultOfExit(status: ExitStatus, stderrTail: string, cancelled: boolean): RunResult {
  if (status.kind === 'code' && status.code === 0) return { t: 'ok' };
  if (status.kind === 'code' && status.code === REPORTED) return { t: 'bail' };
  if (cancelled) return { t: 'failed', message: 'The program was cancelled' };
  const what =
    status.kind === 'code'
      ? `Program exited with non-zero exit code: ${status.code}`
      : `Program was ended by ${describeExit(status)}`;
  return { t: 'failed', message: outOfMemory(stderrTail) ? `${what}\n${MEMORY_HINT}` : what };
}

const outOfMemory = (text: string): boolean => /JavaScript heap out of memory/.test(text);

const MEMORY_HINT =
  'Detected a possible out of memory error: give the program more with NODE_OPTIONS="--max-old-space-size=4096" (megabytes) or runtime.options.nodeargs';
