import stringWidth from 'string-width';
import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Diagnostic, SourceRange } from '@cairn/diagnostics';
import { visible, visibleName } from '../terminal/controls.js';
import { fitEnd, wrapped } from '../terminal/fitting.js';
import { stripEscapes } from '../terminal/paint.js';
import type { Paint } from '../terminal/paint.js';
import { countDiagnostics } from '../terminal/report.js';
import { shortType } from './short-type.js';

/** How a verdict is written. */
export interface VerdictStyle {
  readonly paint: Paint;
  readonly unicode: boolean;
  readonly columns: number;
  /** The line of the program that a place names; undefined where it cannot be read. */
  readonly sourceLine: (place: SourceRange) => string | undefined;
}

/** Failures that are told in full; of further ones a line says what failed. */
const IN_FULL = 8;
/** Lines of one cause; what a provider says at length stands above, or in the events. */
const CAUSE_LINES = 12;

/**
 * What failed, one resource after the other: which, where the program registers it, why, and what to do. What is said
 * of several resources in the same words has its hint once.
 */
export function verdictLines(diagnostics: readonly Diagnostic[], style: VerdictStyle): readonly string[] {
  const errors = countDiagnostics(diagnostics.filter(isFailure));
  if (errors.length === 0) return [];
  const { paint } = style;
  const told = errors.slice(0, IN_FULL);
  const hints = new Map<string, number>();
  told.forEach(({ diagnostic }, index) => {
    if (diagnostic.hint !== undefined) hints.set(diagnostic.hint, index);
  });
  const lines = told.flatMap(({ diagnostic, count }, index) => [
    ...failureLines(diagnostic, count, style),
    ...(diagnostic.hint !== undefined && hints.get(diagnostic.hint) === index
      ? hintLines(diagnostic.hint, style)
      : []),
  ]);
  const more = errors.slice(IN_FULL).map(({ diagnostic }) => {
    const line = `    ${headOf(diagnostic)}: ${stripEscapes(diagnostic.summary).split('\n', 1)[0] ?? ''}`;
    return fitEnd(line, style.columns, style.unicode);
  });
  return [
    paint.red(paint.bold(errors.length === 1 ? 'What failed:' : `What failed (${errors.length}):`)),
    ...lines,
    ...more,
    '',
  ];
}

/** That it was cancelled is no failure, and said otherwise. */
const isFailure = ({ severity, code }: Diagnostic): boolean =>
  severity === 'error' && code !== 'CAIRN-CANCELLED';

/** The resource with its type; the code where it is about none. */
function headOf({ urn, code }: Diagnostic): string {
  if (urn === undefined || urn === '') return code;
  return visibleName(`${urnName(urn)} (${shortType(urnType(urn))})`);
}

function failureLines(diagnostic: Diagnostic, count: number, style: VerdictStyle): readonly string[] {
  const { paint, columns } = style;
  const { source, summary, causes = [], urn = '' } = diagnostic;
  // It is named above.
  const short = (text: string): string => (urn === '' ? text : text.replaceAll(urn, urnName(urn as Urn)));
  const times = count > 1 ? paint.dim(` (${count} times)`) : '';
  const [first = '', ...rest] = short(stripEscapes(summary)).split('\n');
  const texts = [...rest, ...causes.flatMap((cause) => short(stripEscapes(cause)).trimEnd().split('\n'))];
  const fitted = texts.flatMap((text) => indented(text, 8, columns));
  const cut = fitted.length > CAUSE_LINES ? fitted.length - CAUSE_LINES + 1 : 0;
  return [
    `    ${paint.bold(headOf(diagnostic))}${times}`,
    ...(source === undefined ? [] : placeLines(source, style)),
    ...indented(first, 6, columns).map((line) => paint.red(line)),
    ...(cut === 0 ? fitted : [...fitted.slice(0, CAUSE_LINES - 1), paint.dim(`        (${cut} more lines)`)]),
  ];
}

/** Where the program registers the resource, with that line of it. */
function placeLines(source: SourceRange, style: VerdictStyle): readonly string[] {
  const { paint, unicode, columns } = style;
  const { file, line, column } = source;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const code = style.sourceLine(source)?.trim();
  const where = `      ${paint.cyan(visibleName(place))}`;
  if (code === undefined || code === '') return [where];
  const room = columns - 6 - stringWidth(place) - 2;
  const shown = visible(code).replaceAll('\t', ' ');
  return room >= 40
    ? [`${where}  ${paint.dim(fitEnd(shown, room, unicode))}`]
    : [where, `        ${paint.dim(fitEnd(shown, Math.max(16, columns - 8), unicode))}`];
}

function hintLines(hint: string, { paint, columns }: VerdictStyle): readonly string[] {
  const [first = '', ...rest] = indented(`hint: ${hint}`, 6, columns);
  return [first.replace('hint:', paint.bold('hint:')), ...rest];
}

/** The text below its first line, no line longer than the terminal. */
function indented(text: string, indent: number, columns: number): readonly string[] {
  const margin = ' '.repeat(indent);
  return wrapped(text, Math.max(24, columns - indent)).map((line) => `${margin}${line}`);
}
