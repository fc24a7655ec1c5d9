import stringWidth from 'string-width';
import { unreachable } from '@cairn/diagnostics';
import type { EngineEvent } from '@cairn/engine';
import type { Urn } from '@cairn/addresses';
import type { Paint } from '../terminal/paint.js';
import { visibleName } from '../terminal/controls.js';
import { stripEscapes } from '../terminal/paint.js';
import { fit, pad } from '../terminal/columns.js';
import { formatDuration } from '../terminal/duration.js';
import type { LiveScreen } from '../terminal/live-screen.js';
import type { Display } from './display.js';
import { messageLines } from './plain-display.js';
import { infoText, paintKind } from './row-line.js';
import { RowModel, glyphOf, isListed, statusText } from './rows.js';
import type { Row } from './rows.js';

/** What the live tree is told. */
export interface LiveOptions {
  readonly screen: LiveScreen;
  readonly paint: Paint;
  readonly unicode: boolean;
  readonly showSames: boolean;
  readonly debug: boolean;
  readonly nowMs: () => number;
  readonly every: (ms: number, tick: () => void) => () => void;
}

const FRAME_MS = 50;
/** Drawing may take one part in so many of the time, however many rows there are. */
const DRAW_SHARE = 20;
const SPINNER = ['|', '/', '-', '\\'];

/** A live tree of the resources that change, redrawn at most 20 times a second [CLI-7]. */
export function liveDisplay(options: LiveOptions): Display {
  const rows = new RowModel();
  let changed = false;
  let frame = 0;
  let notBefore = 0;
  const stop = options.every(FRAME_MS, () => {
    const started = options.nowMs();
    if ((!changed && rows.running.size === 0) || started < notBefore) return;
    changed = false;
    frame += 1;
    options.screen.draw(treeText(rows, options, frame));
    notBefore = started + (options.nowMs() - started) * DRAW_SHARE;
  });
  return {
    event(event: EngineEvent): void {
      rows.apply(event, options.nowMs());
      changed = true;
      switch (event.t) {
        case 'diagnostic':
          if (event.ephemeral || (event.diagnostic.severity === 'debug' && !options.debug)) return;
          options.screen.above(`${messageLines(event, options).join('\n')}\n`);
          return;
        case 'program-output':
          options.screen.above(`${stripEscapes(event.text).replace(/\n$/, '')}\n`);
          return;
        case 'prelude':
        case 'policies-loading':
        case 'policy-violation':
        case 'policy-remediation':
        case 'policy-summary':
        case 'step-started':
        case 'step-ended':
        case 'step-failed':
        case 'outputs':
        case 'summary':
          return;
        default:
          unreachable(event);
      }
    },
    say: (line) => options.screen.above(`${line}\n`),
    close(): void {
      stop();
      options.screen.draw(
        treeText(rows, { ...options, screen: { ...options.screen, rows: () => Infinity } }, frame),
      );
      options.screen.done();
    },
  };
}

/** A row with the branch drawn in front of its type. */
interface Placed {
  readonly row: Row;
  readonly branch: string;
}

/** The whole block: header, rows in tree order, and how many did not fit. */
function treeText(rows: RowModel, options: LiveOptions, frame: number): string {
  const placed = place(rows, options);
  const room = Math.max(3, options.screen.rows() - 4);
  const { visible, hidden } = choose(placed, room);
  if (visible.length === 0) return '';
  const statuses = visible.map((at) => liveStatus(at.row, options, frame));
  const layout = layoutOf(visible, statuses, Math.max(40, options.screen.columns() - 1));
  const header = options.paint.bold(
    `     ${pad('Type', layout.typeWidth)}  ${pad('Name', layout.nameWidth)}  Status`,
  );
  const lines = visible.map((at, index) => rowLine(at, statuses[index] as string, layout, options));
  const rest =
    hidden === 0 ? [] : [options.paint.dim(`     ${options.unicode ? '…' : '...'} ${hidden} more`)];
  return [header, ...lines, ...rest].join('\n');
}

/** Widths of columns; `columns`: of the whole line, which is never longer. */
interface Layout {
  readonly typeWidth: number;
  readonly nameWidth: number;
  readonly columns: number;
}

/** Mark, and what stands between the columns. */
const MARGINS = 9;
/** No column is narrower, however little room there is. */
const LEAST = 6;
/** A reason that would be cut to less says nothing. */
const LEAST_INFO = 16;

/** What stands in the last column comes first: a line that is cut there, or broken, tells nobody what happens. */
function layoutOf(visible: readonly Placed[], statuses: readonly string[], columns: number): Layout {
  const widest = (texts: readonly string[]): number => Math.max(4, ...texts.map((text) => stringWidth(text)));
  const type = Math.min(widest(visible.map((at) => at.branch + at.row.type)), Math.floor(columns * 0.45));
  const name = Math.min(widest(visible.map((at) => at.row.name)), Math.floor(columns * 0.25));
  const over = Math.max(0, type + name + MARGINS + widest(statuses) - columns);
  const typeWidth = Math.max(Math.min(type, LEAST), type - over);
  return {
    typeWidth,
    nameWidth: Math.max(Math.min(name, LEAST), name - (over - (type - typeWidth))),
    columns,
  };
}

function liveStatus(row: Row, { nowMs }: LiveOptions, frame: number): string {
  const elapsed = row.status === 'running' ? nowMs() - row.startedMs : row.elapsedMs;
  const took = row.status !== 'planned' && elapsed >= 100 ? ` (${formatDuration(elapsed)})` : '';
  const spinner = row.status === 'running' ? ` ${SPINNER[frame % SPINNER.length]}` : '';
  return `${statusText(row)}${took}${spinner}`;
}

function rowLine(at: Placed, text: string, layout: Layout, options: LiveOptions): string {
  const { row } = at;
  const { paint, unicode } = options;
  const colour = row.status === 'failed' ? paint.red : paintKind(row.kind, paint);
  const used = MARGINS + layout.typeWidth + layout.nameWidth;
  const status = fit(text, layout.columns - used, unicode);
  const said = stripEscapes(infoText(row, row.status === 'planned'));
  const room = layout.columns - used - stringWidth(status) - 2;
  const info = stringWidth(said) <= room || room >= LEAST_INFO ? fit(said, room, unicode) : '';
  const type = pad(fit(at.branch + row.type, layout.typeWidth, unicode), layout.typeWidth);
  const name = pad(fit(visibleName(row.name), layout.nameWidth, unicode), layout.nameWidth);
  return ` ${colour(glyphOf(row))}  ${type}  ${name}  ${colour(status)}${info === '' ? '' : `  ${paint.dim(info)}`}`;
}

/** Rows that are shown, in tree order, with the ancestors that hold them together. */
function place(rows: RowModel, options: LiveOptions): readonly Placed[] {
  const shown = new Set<Urn>();
  for (const row of rows.byUrn.values()) {
    if (!isListed(row, options.showSames)) continue;
    for (let at: Row | undefined = row; at !== undefined && !shown.has(at.urn);) {
      shown.add(at.urn);
      at = at.parent === undefined ? undefined : rows.byUrn.get(at.parent);
    }
  }
  const children = new Map<Urn | undefined, Row[]>();
  for (const urn of shown) {
    const row = rows.byUrn.get(urn) as Row;
    const parent = row.parent !== undefined && shown.has(row.parent) ? row.parent : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [row]);
    else siblings.push(row);
  }
  const placed: Placed[] = [];
  const [fork, last, bar] = options.unicode ? ['├─ ', '└─ ', '│  '] : ['|- ', '`- ', '|  '];
  const walk = (parent: Urn | undefined, margin: string, top: boolean): void => {
    const siblings = children.get(parent) ?? [];
    siblings.forEach((row, index) => {
      const end = index === siblings.length - 1;
      placed.push({ row, branch: top ? '' : margin + (end ? last : fork) });
      walk(row.urn, top ? '' : margin + (end ? '   ' : bar), false);
    });
  };
  walk(undefined, '', true);
  return placed;
}

/** What fits: everything, else running and failed rows first, in tree order still. */
function choose(placed: readonly Placed[], room: number): { visible: readonly Placed[]; hidden: number } {
  if (placed.length <= room) return { visible: placed, hidden: 0 };
  const urgent = placed.filter((at) => at.row.status === 'running' || at.row.status === 'failed');
  const chosen = new Set(urgent.slice(0, room - 1));
  for (let index = placed.length - 1; index >= 0 && chosen.size < room - 1; index--)
    chosen.add(placed[index] as Placed);
  const visible = placed.filter((at) => chosen.has(at));
  return { visible, hidden: placed.length - visible.length };
}
