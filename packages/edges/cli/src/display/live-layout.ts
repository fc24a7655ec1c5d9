import { stringWidth } from '../terminal/width.js';
import { distinctFits, fitEnd, fitMiddle, widestWidth, wrapped } from '../terminal/fitting.js';
import { pad } from '../terminal/columns.js';
import { visibleName } from '../terminal/controls.js';
import { stripEscapes } from '../terminal/paint.js';
import type { Paint } from '../terminal/paint.js';
import type { StepKind } from '@cairn/engine';
import type { KeptChange } from './kept-change.js';
import { paintRow } from './row-line.js';

/** A row of the tree in the form in which it is shown. */
export interface TreeRow {
  /** Branch drawn in front of the type, and in front of lines below the row. */
  readonly branch: string;
  readonly below: string;
  readonly glyph: string;
  readonly kind: StepKind;
  readonly kept: KeptChange | undefined;
  readonly type: string;
  readonly name: string;
  /** Words for the step; empty for a row that only groups others. */
  readonly status: string;
  /** Reason for the step, or a message about it. */
  readonly info: string;
  /** Further lines below the row if the tree is written in full. */
  readonly details: readonly string[];
  readonly failed: boolean;
  readonly running: boolean;
}

/** Style of a written tree. */
interface TreeStyle {
  readonly paint: Paint;
  readonly unicode: boolean;
  /** Width of the whole line; no line is longer. */
  readonly columns: number;
  /** Minimum width of the status column, so that columns do not move when durations grow. */
  readonly statusWidth?: number | undefined;
  /**
   * True if names are URNs, which contain the type. There is then one column for both, which is not cut in a full tree.
   */
  readonly urns?: boolean | undefined;
}

/** Width of the mark and of the gaps between the columns. */
const MARGINS = 8;
/** Minimum width of a column, however little room there is. */
const LEAST = 6;
/** Minimum width of the type if it competes with names. */
const LEAST_TYPE = 20;

const DETAIL_MARGIN = '    ';

interface Widths {
  readonly type: number;
  readonly name: number;
  readonly columns: number;
  /** True if names are not cut and leave no room behind them. */
  readonly broken: boolean;
}

/**
 * Computes the widths of the columns. The last column comes first, because a line that is cut or broken there hides the
 * status.
 */
function widthsOf(rows: readonly TreeRow[], style: TreeStyle, whole: boolean): Widths {
  const widest = (texts: readonly string[]): number =>
    texts.reduce((most, text) => Math.max(most, stringWidth(text)), 4);
  const columns = Math.max(40, style.columns);
  const status = Math.max(style.statusWidth ?? 0, widest(rows.map((row) => row.status)));
  const room = Math.max(2 * LEAST, columns - MARGINS - status);
  const name = widest(rows.map((row) => row.name));
  if (style.urns === true) {
    const type = Math.max(0, ...rows.map((row) => stringWidth(row.branch)));
    return { type, name: Math.min(name, room + 2 - type), columns, broken: whole && type + name > room + 2 };
  }
  const type = widest(rows.map((row) => row.branch + row.type));
  if (type + name <= room) return { type, name, columns, broken: false };
  const fair = Math.min(type, Math.max(LEAST_TYPE, Math.floor(room * 0.6)), room - LEAST);
  const nameWidth = Math.min(name, room - fair);
  return { type: Math.min(type, room - nameWidth), name: nameWidth, columns, broken: false };
}

/**
 * Returns the lines of a tree below a header. A reason that does not fit behind its row goes below it. With `spare`, at
 * most that many reasons get one line each, failed and running rows first. Without it, reasons are written in full.
 */
export function treeLines(rows: readonly TreeRow[], style: TreeStyle, spare?: number): readonly string[] {
  if (rows.length === 0) return [];
  const { paint, unicode } = style;
  const whole = spare === undefined;
  const widths = widthsOf(rows, style, whole);
  const names = distinctFits(
    rows.map((row) => visibleName(row.name)),
    widths.name,
    unicode,
  );
  const infoRoom = rows.map((row) => {
    const used = MARGINS + widths.type + widths.name + stringWidth(row.status);
    return widths.columns - used - 2;
  });
  const beside = rows.map((row, index) => stringWidth(oneLine(row.info)) <= (infoRoom[index] ?? 0));
  const granted = grantedLines(rows, beside, spare);
  const header = paint.bold(headerLine(widths, style));
  return [
    header,
    ...rows.flatMap((row, index) => {
      const name = names.get(visibleName(row.name)) ?? row.name;
      const details = whole ? row.details.map((text) => `${DETAIL_MARGIN}${text}`) : [];
      if (widths.broken) return [...brokenLines(row, widths, style), ...details];
      const line =
        style.urns === true ? urnLine(row, name, widths, style) : rowLine(row, name, widths, style);
      if (row.info === '') return [line, ...details];
      if (beside[index] === true) return [`${line}  ${paint.dim(oneLine(row.info))}`, ...details];
      if (!granted.has(row)) return [line];
      return [line, ...infoLines(row, widths, style, whole), ...details];
    }),
  ];
}

const oneLine = (text: string): string => stripEscapes(text).replaceAll('\n', ' ');

function headerLine(widths: Widths, { urns }: TreeStyle): string {
  if (widths.broken) return '    URN, and its status below';
  if (urns === true) return `    ${pad('URN', widths.type + widths.name)}  Status`;
  return `    ${pad('Type', widths.type)}  ${pad('Name', widths.name)}  Status`;
}

/** Returns a URN in full, which the terminal may break, with its status below. */
function brokenLines(row: TreeRow, widths: Widths, style: TreeStyle): readonly string[] {
  const colour = colourOf(row, style.paint);
  const line = ` ${colour(row.glyph)} ${row.branch}${visibleName(row.name)}`;
  if (row.status === '') return [line];
  const margin = `    ${row.below}  `;
  const both = stringWidth(`${margin}${row.status}  ${oneLine(row.info)}`) <= widths.columns;
  const status = margin + colour(row.status);
  if (row.info !== '' && both) return [line, `${status}  ${style.paint.dim(oneLine(row.info))}`];
  return [line, status, ...infoLines(row, widths, style, true)];
}

const colourOf = (row: TreeRow, paint: Paint): ((text: string) => string) =>
  row.failed ? paint.red : row.status === '' ? paint.dim : paintRow(row, paint);

function urnLine(row: TreeRow, urn: string, widths: Widths, { paint }: TreeStyle): string {
  const colour = colourOf(row, paint);
  return ` ${colour(row.glyph)} ${pad(row.branch + urn, widths.type + widths.name)}  ${colour(row.status)}`.trimEnd();
}

function rowLine(row: TreeRow, name: string, widths: Widths, { paint, unicode }: TreeStyle): string {
  const colour = colourOf(row, paint);
  const room = widths.type - stringWidth(row.branch);
  const type = pad(
    row.branch + fitMiddle(visibleName(row.type), Math.max(3, room), unicode, 0.3),
    widths.type,
  );
  const status = fitEnd(row.status, widths.columns - MARGINS - widths.type - widths.name, unicode);
  const front = ` ${colour(row.glyph)} ${fitEnd(type, widths.type, unicode)}  `;
  if (row.status === '') return `${front}${name}`;
  const over = widestWidth(`${front}${pad(name, widths.name)}  ${status}`) - widths.columns;
  const shown = pad(name, widths.name - Math.max(0, over));
  return `${front}${shown}  ${colour(status)}`;
}

function infoLines(row: TreeRow, { columns }: Widths, style: TreeStyle, whole: boolean): readonly string[] {
  const margin = `    ${row.below}  `;
  const room = Math.max(16, columns - stringWidth(margin));
  const text = oneLine(row.info);
  const lines = whole ? wrapped(text, room) : [fitEnd(text, room, style.unicode)];
  return lines.map((line) => `${margin}${style.paint.dim(line)}`);
}

/** Returns the rows whose information gets its own line. */
function grantedLines(
  rows: readonly TreeRow[],
  beside: readonly boolean[],
  spare: number | undefined,
): ReadonlySet<TreeRow> {
  const wanting = rows.filter((row, index) => row.info !== '' && beside[index] !== true);
  if (spare === undefined) return new Set(wanting);
  const rank = (row: TreeRow): number => (row.failed ? 0 : row.running ? 1 : 2);
  return new Set(wanting.toSorted((a, b) => rank(a) - rank(b)).slice(0, Math.max(0, spare)));
}

/** Progress of an operation. */
export interface Progress {
  /** True for a preview, which only computes the steps. */
  readonly planning: boolean;
  readonly settled: number;
  /** Expected number of resources, or undefined if it is unknown. */
  readonly expected: number | undefined;
  readonly elapsed: string;
  /** Running steps, the longest first, e.g. `creating index (12s)`. */
  readonly running: readonly string[];
  /** True if the operation was asked to stop. */
  readonly stopping: boolean;
  /** Number of rows that are not on the screen. */
  readonly hidden: number;
  readonly failed: number;
}

/**
 * Returns a line such as `12 of 57 done · 2 failed · 26 more rows · 5.2s · 4 running, longest creating index (1.6s)`.
 * It is never longer than the columns.
 */
export function progressLine(progress: Progress, style: TreeStyle): string {
  const { settled, expected, elapsed, running, stopping, hidden, failed } = progress;
  const { unicode, columns } = style;
  const more = hidden === 0 ? '' : `${hidden} more rows`;
  const words = progress.planning ? 'checked' : 'done';
  const count =
    expected === undefined ? `${settled} ${words}` : `${Math.min(settled, expected)} of ${expected} ${words}`;
  const failures = failed === 0 ? '' : `${failed} failed`;
  const parts = stopping
    ? [stoppingText(running), count, failures, more, elapsed]
    : [count, failures, more, elapsed, runningText(running)];
  const text = parts.filter((part) => part !== '').join(unicode ? ' · ' : ' - ');
  return style.paint.dim(`    ${fitEnd(text, Math.max(16, columns - 4), unicode)}`);
}

function runningText(running: readonly string[]): string {
  const [longest] = running;
  if (longest === undefined) return '';
  return running.length === 1 ? longest : `${running.length} running, longest ${longest}`;
}

function stoppingText(running: readonly string[]): string {
  const [first, ...others] = running;
  if (first === undefined) return 'stopping';
  return `stopping, waiting for ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}
