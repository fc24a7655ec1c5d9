import type { OperationResult, OperationSummary, StepKind } from '@cairn/engine';
import { formatDuration } from '../terminal/duration.js';
import type { Paint } from '../terminal/paint.js';
import { paintKind } from './row-line.js';
import { GLYPHS, PHRASES } from './rows.js';
import { plainTally } from './tally.js';
import type { Standing, Tally } from './tally.js';

/** Kinds in the order a summary counts them; physical halves of a replacement are counted as the replacement. */
const COUNTED: readonly StepKind[] = [
  'create',
  'import',
  'update',
  'replace',
  'delete',
  'read',
  'refresh',
  'same',
];

/**
 * `+ 3 created   ~ 1 updated   12 unchanged`; plans are worded as what is to be done. What is retained counts as such.
 * That the stack itself stands says nothing when the operation did not come to an end.
 */
export function countsText(summary: OperationSummary, paint: Paint, tally: Tally = plainTally): string {
  const parts = COUNTED.flatMap((kind) => {
    const count = (summary.changes[kind] ?? 0) - (kind === 'delete' ? tally.retained : 0);
    if (count <= 0) return [];
    const words =
      summary.preview && kind !== 'same'
        ? `${count} to ${PHRASES[kind].plan}`
        : `${count} ${PHRASES[kind].done}`;
    return [paintKind(kind, paint)(`${GLYPHS[kind].trim()} ${words}`.trim())];
  });
  parts.push(...rollbackTexts(summary, paint));
  if (tally.retained > 0)
    parts.push(paint.cyan(`< ${tally.retained} ${summary.preview ? 'to retain' : 'retained'}`));
  if (summary.result === 'succeeded') return parts.length === 0 ? 'nothing to do' : parts.join('   ');
  const onlyStack = parts.length === 1 && summary.changes.same === 1;
  if (parts.length > 0 && !onlyStack) return parts.join('   ');
  return summary.preview ? 'nothing was found out' : 'nothing was done';
}

/** `2 failed   1 in doubt   12 not tried`: what did not come to its end. */
export function standingText({ failed, notTried }: Standing, inDoubt: number, paint: Paint): string {
  const parts: readonly (readonly [number, string, (text: string) => string])[] = [
    [failed, 'failed', paint.red],
    [inDoubt, 'in doubt', paint.magenta],
    [notTried ?? 0, 'not tried', paint.yellow],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words, colour]) => colour(`${count} ${words}`))
    .join('   ');
}

/** `2 undone, 1 held`; nothing where nothing was undone. */
function rollbackTexts({ rollback, preview }: OperationSummary, paint: Paint): readonly string[] {
  if (rollback === undefined) return [];
  const { undone, held, retained, failed } = rollback;
  const parts: readonly (readonly [number, string, (text: string) => string])[] = [
    [undone, preview ? 'to undo' : 'undone', paint.yellow],
    [held, preview ? 'to stay' : 'held', paint.magenta],
    [retained, preview ? 'to leave as they are' : 'left as they are', paint.cyan],
    [failed, 'not undone', paint.red],
  ];
  return parts.filter(([count]) => count > 0).map(([count, words, colour]) => colour(`${count} ${words}`));
}

const RESULT_LINES: Readonly<Partial<Record<OperationSummary['result'], string>>> = {
  'rolled-back': 'It failed and was rolled back: everything is as it was before.',
  waiting: 'It waits, and goes on later.',
  cancelled: 'It was cancelled: what is not counted here was not looked at.',
};

/** The end of an operation: counts, what did not come to its end, then duration. */
export function summaryLines(
  summary: OperationSummary,
  paint: Paint,
  tally: Tally = plainTally,
  standing = '',
): readonly string[] {
  const line = summary.preview && summary.result !== 'cancelled' ? undefined : RESULT_LINES[summary.result];
  return [
    paint.bold('Resources:'),
    `    ${countsText(summary, paint, tally)}`,
    ...(standing === '' ? [] : [`    ${standing}`]),
    '',
    ...(line === undefined ? [] : [paint.bold(line), '']),
    `${paint.bold('Duration:')} ${formatDuration(summary.durationMs)}`,
  ];
}

/** Steps whose end is not known, and how to find out: an object that was being made has no id to look it up by. */
export function inDoubtLines(steps: OperationResult['inDoubt'], paint: Paint): readonly string[] {
  return steps.flatMap((step) => [
    paint.red(`in doubt: ${step.kind} ${step.urn}`),
    `    ${step.cause}`,
    step.id === ''
      ? '    look for what it may have made: no id of it is recorded, so no refresh finds it'
      : '    run `cairn refresh` to see what became of it',
    '',
  ]);
}
