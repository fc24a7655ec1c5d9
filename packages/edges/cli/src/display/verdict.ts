import { stringWidth } from '../terminal/width.js';
import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Diagnostic, SourceRange } from '@cairn/diagnostics';
import { visible, visibleName } from '../terminal/controls.js';
import { aboutUrn, resourceWords } from './diagnostic-words.js';
import { groupedFailures } from './failure-groups.js';
import type { FailureGroup } from './failure-groups.js';
import { fitEnd, wrapped } from '../terminal/fitting.js';
import { firstLine, stripEscapes } from '../terminal/paint.js';
import type { Paint } from '../terminal/paint.js';
import { countDiagnostics, labelText, placeText } from '../terminal/report.js';

/** Style of a verdict. */
export interface VerdictStyle {
  readonly paint: Paint;
  readonly unicode: boolean;
  /** Width of the terminal. If undefined, there is none: lines are not broken, and everything is reported in full. */
  readonly columns: number | undefined;
  /** True if resources are named by their URNs. */
  readonly urns?: boolean | undefined;
  /** True if errors begin as those of the other tool. */
  readonly alias?: boolean | undefined;
  /** Returns the line of the program at a place, or undefined if it cannot be read. */
  readonly sourceLine: (place: SourceRange) => string | undefined;
}

/** Number of failures reported in full on a terminal; each further one gets a line with its summary. */
const IN_FULL = 8;
/** Number of lines shown of each of several causes on a terminal. */
const CAUSE_LINES = 12;
/** Maximum width of a line of the program if no terminal limits it. */
const SOURCE_WIDTH = 119;

/**
 * Lists the failures, one resource after the other: its name, the place that registers it, the causes, and a remedy.
 * The hint of failures in the same words is printed once.
 */
export function verdictLines(diagnostics: readonly Diagnostic[], style: VerdictStyle): readonly string[] {
  const errors = countDiagnostics(diagnostics.filter(isFailure));
  if (errors.length === 0) return [];
  const { paint, columns } = style;
  const names = namesOf(errors, style);
  const { groups, single } = groupedFailures(errors);
  const told = single.slice(0, columns === undefined ? single.length : IN_FULL);
  const hints = new Map<string, number>();
  told.forEach(({ diagnostic }, index) => {
    if (diagnostic.hint !== undefined) hints.set(diagnostic.hint, index);
  });
  const lines = told.flatMap(({ diagnostic, count }, index) => [
    ...failureLines(
      diagnostic,
      aboutUrn(diagnostic) && names(diagnostic),
      count,
      errors.length > 1 ? CAUSE_LINES : Infinity,
      style,
    ),
    ...(diagnostic.hint !== undefined && hints.get(diagnostic.hint) === index
      ? hintLines(diagnostic.hint, style)
      : []),
  ]);
  const more = single.slice(told.length).map(({ diagnostic }) => {
    const line = `    ${names(diagnostic)}: ${firstLine(diagnostic.summary)}`;
    return columns === undefined ? line : fitEnd(line, columns, style.unicode);
  });
  return [
    paint.red(paint.bold(errors.length === 1 ? 'What failed:' : `What failed (${errors.length}):`)),
    ...groups.flatMap((group) => groupLines(group, names, style)),
    ...lines,
    ...more,
    '',
  ];
}

/** Returns the failure in one paragraph, then the resources, each on a line with the place that registers it. */
function groupLines(
  { shared, members }: FailureGroup,
  names: (diagnostic: Diagnostic) => string,
  style: VerdictStyle,
): readonly string[] {
  const { paint } = style;
  return [
    ...failureLines(shared, `${members.length} resources`, 1, CAUSE_LINES, style),
    ...(shared.hint === undefined ? [] : hintLines(shared.hint, style)),
    ...members.map((each) => {
      const place = each.source === undefined ? '' : `  ${paint.cyan(visibleName(placeText(each.source)))}`;
      return `      - ${paint.bold(names(each))}${place}`;
    }),
  ];
}

/** Tells whether a diagnostic is a failure. Cancellation is not one, and is reported otherwise. */
const isFailure = ({ severity, code }: Diagnostic): boolean =>
  severity === 'error' && code !== 'CAIRN-CANCELLED';

/**
 * Returns the names of failures. A resource has its name and type, or its URN if another one has the same two. A
 * failure without a resource has its code.
 */
function namesOf(
  errors: readonly { readonly diagnostic: Diagnostic }[],
  { urns = false }: VerdictStyle,
): (diagnostic: Diagnostic) => string {
  const called = new Map<string, Set<Urn>>();
  for (const { diagnostic } of errors) {
    const urn = aboutUrn(diagnostic);
    if (urn === undefined) continue;
    const same = called.get(resourceWords(urn)) ?? new Set();
    called.set(resourceWords(urn), same.add(urn));
  }
  return (diagnostic) => {
    const urn = aboutUrn(diagnostic);
    if (urn === undefined) return diagnostic.code;
    const alone = called.get(resourceWords(urn))?.size === 1;
    return visibleName(urns || !alone ? urn : resourceWords(urn));
  };
}

/**
 * Returns the lines of a failure. `name` is undefined for a failure that is about no resource. An empty summary is
 * reported elsewhere.
 */
function failureLines(
  diagnostic: Diagnostic,
  name: string | undefined,
  count: number,
  most: number,
  style: VerdictStyle,
): readonly string[] {
  const { paint, columns } = style;
  const { source, summary, causes = [], urn = '' } = diagnostic;
  // The heading has the name; a log keeps the URN.
  const isShort = urn !== '' && columns !== undefined;
  const short = (text: string): string => (isShort ? text.replaceAll(urn, urnName(urn as Urn)) : text);
  const times = count > 1 ? paint.dim(` (${count} times)`) : '';
  const [first = '', ...rest] = short(stripEscapes(summary)).split('\n');
  const texts = [
    ...unindented(rest),
    ...causes.flatMap((cause) => unindented(short(stripEscapes(cause)).trimEnd().split('\n'))),
  ];
  const indent = name === undefined ? 4 : 6;
  const what = first === '' ? '' : `${labelText(diagnostic, style.alias)} ${first}`;
  const summaryLines = indented(what, indent, columns).map((line) => paint.red(line));
  const fitted = texts.flatMap((text) => indented(text, indent + 2, columns));
  const cut = columns !== undefined && fitted.length > most ? fitted.length - most + 1 : 0;
  return [
    ...(name === undefined ? withEnd(summaryLines, times) : [`    ${paint.bold(name)}${times}`]),
    ...(source === undefined ? [] : placeLines(source, style)),
    ...(name === undefined ? [] : summaryLines),
    ...(cut === 0 ? fitted : [...fitted.slice(0, most - 1), paint.dim(`        (${cut} more lines)`)]),
  ];
}

const withEnd = (lines: readonly string[], end: string): readonly string[] =>
  lines.map((line, index) => (index === lines.length - 1 ? line + end : line));

/** Removes the indentation that all lines have in common. */
function unindented(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...indents)));
}

/** Returns the place that registers the resource, with that line of the program. */
function placeLines(source: SourceRange, style: VerdictStyle): readonly string[] {
  const { paint, unicode, columns } = style;
  const place = placeText(source);
  const code = style.sourceLine(source)?.trim();
  const where = `      ${paint.cyan(visibleName(place))}`;
  if (code === undefined || code === '') return [where];
  const width = columns ?? SOURCE_WIDTH;
  const room = width - 6 - stringWidth(place) - 2;
  const shown = visible(code).replaceAll('\t', ' ');
  return room >= 40
    ? [`${where}  ${paint.dim(fitEnd(shown, room, unicode))}`]
    : [where, `        ${paint.dim(fitEnd(shown, Math.max(16, width - 8), unicode))}`];
}

function hintLines(hint: string, { paint, columns }: VerdictStyle): readonly string[] {
  const [first = '', ...rest] = indented(`hint: ${hint}`, 6, columns);
  return [first.replace('hint:', paint.bold('hint:')), ...rest];
}

/** Returns indented lines for a text below its first line. No line is longer than the terminal. */
function indented(text: string, indent: number, columns: number | undefined): readonly string[] {
  const margin = ' '.repeat(indent);
  if (columns === undefined) return text.trim() === '' ? [] : [`${margin}${text}`];
  return wrapped(text, Math.max(24, columns - indent)).map((line) => `${margin}${line}`);
}
