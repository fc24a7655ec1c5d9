import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineResult, OperationSummary, RefreshResult, StepKind } from '@cairn/engine';
import { STEP_MARKS, STEP_PHRASES } from '@cairn/engine/words';
import { formatDuration } from '../terminal/duration.js';
import { stringWidth } from '../terminal/width.js';
import { KEPT_CHANGES } from './kept-change.js';
import type { KeptChange } from './kept-change.js';
import type { Paint } from '../terminal/paint.js';
import { paintKind } from './row-line.js';
import { plainTally } from './tally.js';
import type { RunningTally, Standing, StepTally } from './tally.js';

/** Kinds in the order of a summary. Physical halves of a replacement are counted as the replacement. */
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
 * Returns a text such as `+ 3 created   ~ 1 updated   12 unchanged`; plans name the steps to take. Retained objects are
 * counted as such. An unchanged stack is not counted if the operation did not complete.
 */
export function countsText(summary: OperationSummary, paint: Paint, tally: StepTally = plainTally): string {
  return countParts(summary, paint, tally).join(GAP) || nothingText(summary);
}

function nothingText({ result, preview }: OperationSummary): string {
  if (result === 'succeeded') return 'nothing to do';
  return preview ? 'nothing was planned' : 'nothing was done';
}

const GAP = '   ';

/** Returns a text for each kind of change. An operation that did not complete leaves out an unchanged stack. */
function countParts(summary: OperationSummary, paint: Paint, tally: StepTally): readonly string[] {
  const kept = Object.values(tally.kept).reduce((sum, count) => sum + count, 0);
  const elsewhere: Partial<Record<StepKind, number>> = { delete: tally.retained, same: kept };
  const changes = perResult(summary);
  const parts = COUNTED.flatMap((kind) => {
    const before = kind === 'same' ? keptTexts(tally, summary.preview, paint) : [];
    const count = (changes[kind] ?? 0) - (elsewhere[kind] ?? 0);
    if (count <= 0) return before;
    const phrase =
      summary.preview && kind !== 'same'
        ? `${count} to ${STEP_PHRASES[kind].plan}`
        : `${count} ${STEP_PHRASES[kind].done}`;
    const words = kind === 'refresh' ? phrase + driftText(summary) : phrase;
    return [...before, paintKind(kind, paint)(`${STEP_MARKS[kind].trim()} ${words}`.trim())];
  });
  parts.push(...rollbackTexts(summary, paint));
  if (tally.retained > 0)
    parts.push(paint.cyan(`< ${tally.retained} ${summary.preview ? 'to retain' : 'retained'}`));
  if (summary.result === 'succeeded') return parts;
  const onlyStack = parts.length === 1 && summary.changes.same === 1;
  return onlyStack ? [] : parts;
}

/** Returns counts by kind. Each look-up of a refresh counts as the change it found, as in its row. */
function perResult({ kind, changes, found = {} }: OperationSummary): OperationSummary['changes'] {
  if (kind !== 'refresh') return changes;
  const { refresh: looks = 0, ...counted } = changes;
  const results = Object.values(found).reduce((sum, count) => sum + count, 0);
  const all: Partial<Record<StepKind, number>> = { ...counted, refresh: looks - results };
  for (const [result, count] of Object.entries(found) as [RefreshResult, number][])
    all[result] = (all[result] ?? 0) + count;
  return all;
}

/** Returns a text such as ` (1 changed, 1 gone)`: the drift found by an operation that does more than look. */
function driftText({ found = {} }: OperationSummary): string {
  const { update: changed = 0, delete: gone = 0 } = found;
  const parts = [changed > 0 ? [`${changed} changed`] : [], gone > 0 ? [`${gone} gone`] : []].flat();
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Counts resources that are moved, newly protected or no longer protected, and otherwise unchanged. */
function keptTexts({ kept }: StepTally, preview: boolean, paint: Paint): readonly string[] {
  return (Object.keys(KEPT_CHANGES) as KeptChange[])
    .filter((each) => kept[each] > 0)
    .map((each) => {
      const { glyph, plan, done, colour } = KEPT_CHANGES[each];
      return paint[colour](`${glyph.trim()} ${kept[each]} ${preview ? `to ${plan}` : done}`);
    });
}

/** Joins parts side by side, in as many lines as they need. Without `columns`, there is one line. */
function filled(parts: readonly string[], columns = Infinity): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)}${GAP}${part}`;
    if (lines.length > 0 && stringWidth(longer) > columns) lines.push(part);
    else lines.splice(-1, 1, longer);
  }
  return lines.map((line) => `${MARGIN}${line}`);
}

const MARGIN = '    ';

/**
 * Describes the steps that an unsuccessful operation left: `2 failed   1 in doubt   12 not tried`. A preview tries
 * nothing and leaves no doubt, so it reports only `2 failed`. `expected` is the number of resources that should have a
 * step.
 */
export function standingOf(
  { result, preview }: Pick<OperationSummary, 'result' | 'preview'>,
  tally: Pick<RunningTally, 'standing'>,
  expected: number | undefined,
  inDoubt: EngineResult['inDoubt'],
  paint: Paint,
): string {
  if (result === 'succeeded') return '';
  return preview
    ? standingText(tally.standing(undefined), 0, paint)
    : standingText(tally.standing(expected, inDoubt), inDoubt.length, paint);
}

/** Returns a text such as `2 failed   1 in doubt   12 not tried` about incomplete steps. */
function standingText({ failed, notTried }: Standing, inDoubt: number, paint: Paint): string {
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

/** Returns a text such as `2 undone, 1 held`, or nothing if nothing was undone. */
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
  waiting: 'It is waiting, and continues later.',
  cancelled: 'It was cancelled: resources that are not counted here were not checked.',
};

/**
 * Returns the end of an operation: counts, incomplete steps, then the duration. An operation that only waits has no
 * counts. `columns` is the width of the terminal, if there is one.
 */
export function summaryLines(
  summary: OperationSummary,
  paint: Paint,
  tally: StepTally = plainTally,
  standing = '',
  columns?: number,
): readonly string[] {
  const line = summary.preview && summary.result !== 'cancelled' ? undefined : RESULT_LINES[summary.result];
  const counts = countParts(summary, paint, tally);
  const onlyWaits = summary.result === 'waiting' && counts.length === 0 && standing === '';
  const shown = counts.length === 0 ? [nothingText(summary)] : counts;
  return [
    ...(onlyWaits
      ? []
      : [
          paint.bold('Resources:'),
          ...filled(shown, columns && columns - MARGIN.length),
          ...(standing === '' ? [] : [`    ${standing}`]),
          '',
        ]),
    ...(line === undefined ? [] : [paint.bold(line), '']),
    `${paint.bold('Duration:')} ${formatDuration(summary.durationMs)}`,
  ];
}

/**
 * Lists steps with an unknown outcome, and the way to find it out: an object that was being created has no id for a
 * look-up. Causes are not repeated for errors that are reported in full elsewhere.
 */
export function inDoubtLines(
  steps: EngineResult['inDoubt'],
  paint: Paint,
  told: readonly Diagnostic[] = [],
): readonly string[] {
  const isTold = ({ urn, cause }: EngineResult['inDoubt'][number]): boolean =>
    told.some((each) => each.urn === urn && each.summary === cause);
  return steps.flatMap((step) => [
    paint.red(`in doubt: ${step.kind} ${step.urn}`),
    ...(isTold(step) ? [] : [`    ${step.cause}`]),
    step.id === ''
      ? '    look for the object that it may have created: no id is recorded, so no refresh finds it'
      : '    run `cairn refresh` to see what happened to it',
    '',
  ]);
}
