import { stringWidth } from '../terminal/width.js';
import { unreachable } from '@cairn/diagnostics';
import { STEP_KINDS } from '@cairn/engine';
import type { EngineEvent } from '@cairn/engine';
import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { visibleName } from '../terminal/controls.js';
import { formatDuration } from '../terminal/duration.js';
import type { LiveScreen } from '../terminal/live-screen.js';
import { stripEscapes } from '../terminal/paint.js';
import type { Paint } from '../terminal/paint.js';
import type { Display } from './display.js';
import { diagnosticHead } from '../terminal/report.js';
import { fitEnd } from '../terminal/fitting.js';
import { progressLine, treeLines } from './live-layout.js';
import { allListed, chosenRows, treeOf } from './live-tree.js';
import { messageLines } from './plain-display.js';
import { RowModel } from './rows.js';
import type { Row } from './rows.js';

/** Options of the live tree. */
export interface LiveOptions {
  readonly screen: LiveScreen;
  readonly paint: Paint;
  readonly unicode: boolean;
  readonly showSames: boolean;
  readonly showReads?: boolean | undefined;
  /** True if rows are named by their URNs. */
  readonly urns?: boolean | undefined;
  readonly debug: boolean;
  /** True if errors and warnings have the form that scripts written for the other tool look for. */
  readonly alias?: boolean | undefined;
  /** Expected number of resources, or undefined if it is unknown. */
  readonly expected?: number | undefined;
  /** Returns further lines for a row, shown below it at the end. */
  readonly detailsOf?: ((row: Row) => readonly string[]) | undefined;
  readonly planning?: boolean | undefined;
  readonly nowMs: () => number;
  readonly every: (ms: number, tick: () => void) => () => void;
}

/** Number of errors shown below the tree because they belong to no row. */
const ERROR_LINES = 3;
const FRAME_MS = 50;
/** Drawing takes at most one part in this many of the time, however large the screen is. */
const DRAW_SHARE = 20;
/** Interval of frames without any news, so that durations keep counting. */
const IDLE_MS = 200;
/** Number of changed rows that are remembered for a screen that cannot show all. */
const REMEMBERED = 2048;
const SPINNER = ['|', '/', '-', '\\'];

/**
 * A live tree of the resources that change, redrawn at most 20 times a second [CLI-7]. The cost of a frame depends on
 * the screen, not on the size of the stack. At the end the whole tree is written once as ordinary text, so that the
 * height of the terminal hides nothing. While the operation runs, errors about resources are at their rows, and others
 * below them. They are reported once, at its end.
 */
export function liveDisplay(options: LiveOptions): Display {
  const { screen, unicode } = options;
  const rows = new RowModel(options);
  const began = options.nowMs();
  let recent: Urn[] = [];
  let said = '';
  let changed = false;
  let stopping = false;
  let closed = false;
  let frame = 0;
  let drawnAt = -Infinity;
  let notBefore = 0;
  let size = '';
  let statusWidth = 0;
  /** First lines of errors that belong to no row, until everything is reported in full at the end. */
  const errors: string[] = [];

  const text = (): string => {
    const columns = screen.columns() - 1;
    const room = Math.max(3, screen.rows() - 4 - Math.min(errors.length, ERROR_LINES));
    const { chosen, hidden } = chosenRows(rows, room, recent);
    const spinner = SPINNER[frame % SPINNER.length] as string;
    const tree = treeOf(chosen, rows, { unicode, nowMs: options.nowMs(), spinner });
    statusWidth = tree.reduce((most, { status }) => Math.max(most, stringWidth(status)), statusWidth);
    const style = { ...options, columns, statusWidth: Math.min(statusWidth, Math.floor(columns / 3)) };
    const lines = treeLines(tree, style, room - tree.length);
    const told = errors.slice(-ERROR_LINES).map((line) => fitEnd(line, columns, unicode));
    return [...lines, ...told, progressLine(progress(hidden), style)].join('\n');
  };

  const progress = (hidden: number) => ({
    planning: options.planning === true,
    settled: rows.settled,
    expected: options.expected,
    elapsed: formatDuration(options.nowMs() - began),
    running: runningTexts(rows, options.nowMs()),
    stopping,
    hidden,
    failed: rows.failed.size,
  });

  const draw = (): void => {
    const started = options.nowMs();
    frame += 1;
    screen.draw(text(), said);
    said = '';
    changed = false;
    drawnAt = started;
    notBefore = started + (options.nowMs() - started) * DRAW_SHARE;
  };

  const stop = options.every(FRAME_MS, () => {
    const now = options.nowMs();
    const sized = `${screen.columns()}x${screen.rows()}`;
    if (now < notBefore) return;
    if (!changed && said === '' && sized === size && now - drawnAt < IDLE_MS) return;
    size = sized;
    draw();
  });
  const say = (line: string): void => {
    said += `${line}\n`;
  };
  return {
    event(event: EngineEvent): void {
      const row = rows.apply(event, options.nowMs());
      changed = true;
      if (row !== undefined && rows.listed.has(row.urn)) {
        recent.push(row.urn);
        if (recent.length > 2 * REMEMBERED) recent = recent.slice(-REMEMBERED);
      }
      switch (event.t) {
        case 'diagnostic': {
          if (event.ephemeral || (event.diagnostic.severity === 'debug' && !options.debug)) return;
          if (event.diagnostic.severity !== 'error') say(messageLines(event, options).join('\n'));
          else if (row === undefined) errors.push(stripEscapes(diagnosticHead(event.diagnostic, options)));
          return;
        }
        case 'program-output':
          return say(stripEscapes(event.text).replace(/\n$/, ''));
        case 'prelude':
        case 'debugging-started':
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
    say(line) {
      say(line);
      if (!closed) return draw();
      screen.draw('', said);
      said = '';
      screen.done();
    },
    stopping() {
      stopping = true;
      changed = true;
    },
    close(): void {
      if (closed) return;
      closed = true;
      stop();
      const tree = treeOf(allListed(rows), rows, {
        ...options,
        ...{ nowMs: options.nowMs(), spinner: '', withoutFailures: true },
      });
      const style = { ...options, columns: screen.columns() - 1 };
      const lines = treeLines(tree, style);
      screen.draw('', `${said}${lines.map((line) => `${line}\n`).join('')}`);
      said = '';
      screen.done();
    },
  };
}

/** Returns the running steps, the longest first. */
function runningTexts(rows: RowModel, nowMs: number): readonly string[] {
  return [...rows.running]
    .flatMap((urn) => rows.byUrn.get(urn) ?? [])
    .sort((a, b) => a.startedMs - b.startedMs)
    .map(
      ({ step, startedMs }) =>
        `${STEP_KINDS[step.kind].presentParticiple} ${visibleName(urnName(step.urn))} (${formatDuration(nowMs - startedMs)})`,
    );
}
