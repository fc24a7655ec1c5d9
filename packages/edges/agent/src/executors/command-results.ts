import { headLine, isCairnError, messageOf } from '@cairn/diagnostics';
import type { Failed, Stopped, WorkResult } from '../stack-work.js';
import type { ProcessEnd } from './process.js';

/** Exit codes of the command line that say more than success or failure (`CAIRN_EXIT_CODES=fine`). */
export const EXITS = { cancelled: 8, waiting: 10, conflict: 12, stackNotFound: 6, moved: 7 } as const;

/** Failure of a part of a run, or its stop. */
export type WorkFailure = Failed | Stopped;

/** Returns errors of sources and files as failures of the run. */
export async function orFailed<T>(work: () => Promise<T>): Promise<T | WorkFailure> {
  try {
    return await work();
  } catch (thrown) {
    const [first] = isCairnError(thrown) ? thrown.diagnostics : [];
    const why = [messageOf(thrown), ...(first?.causes ?? [])].join(': ');
    return { t: 'failed', why: first?.hint === undefined ? why : `${why}. ${first.hint}` };
  }
}

/** Returns why a command did not succeed. `before` comes before the reason. */
export function failureOf(end: ProcessEnd, before = ''): WorkFailure {
  if (end.isStopped || end.code === EXITS.cancelled) return { t: 'stopped', why: end.words };
  if (end.isDead) return { t: 'failed', why: before + deathOf(end) };
  const reason = reasonOf(end);
  const isUnreached = reason.startsWith('error[CAIRN-STORE-UNAVAILABLE]');
  return { t: 'failed', why: before + reason, ...(isUnreached && { isUnreached }) };
}

/** Returns how a command died, and what a person can do. */
function deathOf({ words, why }: ProcessEnd): string {
  if (why !== undefined) return why;
  if (words.startsWith('ended at'))
    return `${words}. Look at the log of the run, and raise the limit in the file of the agent if it is too low.`;
  return `ended by ${words}. Look at the log of the run: it was killed, or it needs more memory than it has.`;
}

/** Returns the error of a command in one line: that of the first code that it names, or its last line. */
function reasonOf({ tail, words }: ProcessEnd): string {
  const lines = tail
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const at = lines.findIndex((line) => line.startsWith('error['));
  return at < 0 ? (lines.at(-1) ?? words) : headLine(lines.slice(at).join('\n'));
}

/** Returns what the end of an operation means for its run. */
export function operationResult(end: ProcessEnd): WorkResult {
  if (end.code === 0) return { t: 'done' };
  if (end.code === EXITS.moved)
    return { t: 'moved', why: 'the state of the stack has moved since the plan was made' };
  if (end.code === EXITS.waiting) return { t: 'asks', why: questionOf(end) };
  // A look at the changes of the stack says what happened to the run.
  if (end.isDead) return { t: 'stopped', why: deathOf(end), isDead: true };
  if (isLocked(end)) return { t: 'stopped', why: reasonOf(end), isLocked: true };
  return failureOf(end);
}

/** Returns true if a command has done nothing because another operation works on the stack. */
export function isLocked(end: ProcessEnd): boolean {
  return end.code === EXITS.conflict || reasonOf(end).startsWith('error[CAIRN-STATE-LOCKED]');
}

/** Returns the first line with the step that waits. */
function questionOf({ tail }: ProcessEnd): string {
  const lines = tail.split('\n').map((line) => line.trim());
  return lines.find((line) => / waits: /.test(line)) ?? 'its operation waits for an answer';
}
