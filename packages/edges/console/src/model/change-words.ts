import { CHANGE_VERBS, CONTINUING, RESULT_PHRASES } from '@cairn/backends/words';
import type { ConsoleChangeRow } from '@cairn/http-api';

/** Returns a change in a sentence, in the words of `cairn changes`: `Update dev: a message`. */
export function changeTitle({ operation }: ConsoleChangeRow, stack: string): string {
  const kind = operation.operation ?? '';
  const verb = Object.hasOwn(CHANGE_VERBS, kind) ? CHANGE_VERBS[kind as keyof typeof CHANGE_VERBS] : kind;
  const [first = ''] = (operation.message ?? '').split('\n', 1);
  return first === '' ? `${verb} ${stack}` : `${verb} ${stack}: ${first}`;
}

/** Returns how a change ended: `is done`, `failed`; `runs` while it runs. */
export function changeResult({ sealed, running }: Pick<ConsoleChangeRow, 'sealed' | 'running'>): string {
  if (running) return 'runs';
  const result = sealed?.result ?? 'interrupted';
  return Object.hasOwn(RESULT_PHRASES, result)
    ? RESULT_PHRASES[result as keyof typeof RESULT_PHRASES]
    : result;
}

/** Returns how a change ended, as a label: `done`, `rolled back`. */
export function resultLabel(row: Pick<ConsoleChangeRow, 'sealed' | 'running'>): string {
  return changeResult(row).replace(/^(?:is|was) /, '');
}

/** Returns which change it continues, or undefined if it continues none. */
export function continuesText({ operation: { continues } }: ConsoleChangeRow): string | undefined {
  if (continues === undefined) return undefined;
  const { how, change } = continues;
  const word = Object.hasOwn(CONTINUING, how) ? CONTINUING[how as keyof typeof CONTINUING] : how;
  return `${word} ${Number(change)}`;
}

/** Returns true for a change that can be continued: it did not end, or not well. */
export function isUnfinished({ sealed, running }: ConsoleChangeRow): boolean {
  return !running && ['failed', 'interrupted', 'waiting', undefined].includes(sealed?.result);
}

/** Returns a person's answer about a step in doubt in words. */
export function answerWords(answer: unknown): string {
  if (answer === 'not-created') return 'it was not created';
  if (answer === 'not-done') return 'it was not done';
  const { created, done } = (answer ?? {}) as { readonly created?: unknown; readonly done?: unknown };
  if (typeof created === 'string') return `it was created with the id ${created}`;
  return done === true ? 'it was done' : 'an answer of a newer Cairn';
}
