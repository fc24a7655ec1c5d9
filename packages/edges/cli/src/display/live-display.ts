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
import type { Display } from './display.js';
import { diagnosticHead } from '../terminal/report.js';
import type { ReportStyle } from '../terminal/report.js';
import { fitEnd } from '../terminal/fitting.js';
import { progressLine, treeLines } from './live-layout.js';
import type { Progress } from './live-layout.js';
import { allListed, chosenRows, treeOf } from './live-tree.js';
import { messageLines } from './plain-display.js';
import type { Row, RowModel } from './rows.js';

/** Options of the live tree. */
export interface LiveOptions extends ReportStyle {
  readonly screen: LiveScreen;
  /** Rows of the operation, which its events have changed already. */
  readonly rows: RowModel;
  readonly unicode: boolean;
  /** True if rows are named by their URNs. */
  readonly urns?: boolean | undefined;
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
export class LiveDisplay implements Display {
  readonly #options: LiveOptions;
  readonly #beganMs: number;
  readonly #stop: () => void;
  /** URNs of rows in the order of their last change, newest last. */
  #recent: Urn[] = [];
  /** First lines of errors that belong to no row, until everything is reported in full at the end. */
  readonly #errors: string[] = [];
  /** Messages that the next frame writes above the tree. */
  #said = '';
  #changed = false;
  #stopping = false;
  #closed = false;
  #frame = 0;
  #drawnAt = -Infinity;
  #notBefore = 0;
  /** Size of the screen at the last tick. */
  #size = '';
  #statusWidth = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#beganMs = options.nowMs();
    this.#stop = options.every(FRAME_MS, () => this.#tick());
  }

  event(event: EngineEvent, row?: Row): void {
    this.#changed = true;
    if (row !== undefined) this.#noteRecent(row);
    switch (event.t) {
      case 'diagnostic':
        return this.#message(event, row);
      case 'program-output':
        return this.#above(stripEscapes(event.text).replace(/\n$/, ''));
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
  }

  say(line: string): void {
    this.#above(line);
    if (this.#closed) this.#writeLast(this.#said);
    else this.#draw();
  }

  stopping(): void {
    this.#stopping = true;
    this.#changed = true;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stop();
    const { rows, screen, nowMs } = this.#options;
    const tree = treeOf(allListed(rows), rows, {
      ...this.#options,
      ...{ nowMs: nowMs(), spinner: '', withoutFailures: true },
    });
    const lines = treeLines(tree, { ...this.#options, columns: screen.columns() - 1 });
    this.#writeLast(`${this.#said}${lines.map((line) => `${line}\n`).join('')}`);
  }

  #noteRecent({ urn }: Row): void {
    if (!this.#options.rows.listed.has(urn)) return;
    this.#recent.push(urn);
    if (this.#recent.length > 2 * REMEMBERED) this.#recent = this.#recent.slice(-REMEMBERED);
  }

  #message(event: Extract<EngineEvent, { t: 'diagnostic' }>, row: Row | undefined): void {
    const { severity } = event.diagnostic;
    if (event.ephemeral || (severity === 'debug' && !this.#options.debug)) return;
    if (severity !== 'error') this.#above(messageLines(event, this.#options).join('\n'));
    else if (row === undefined)
      this.#errors.push(stripEscapes(diagnosticHead(event.diagnostic, this.#options)));
  }

  #above(text: string): void {
    this.#said += `${text}\n`;
  }

  /** Writes text that remains, in place of the tree, and releases the terminal. */
  #writeLast(text: string): void {
    const { screen } = this.#options;
    screen.draw('', text);
    this.#said = '';
    screen.done();
  }

  #tick(): void {
    const { screen, nowMs } = this.#options;
    const now = nowMs();
    const size = `${screen.columns()}x${screen.rows()}`;
    if (now < this.#notBefore) return;
    const isIdle = !this.#changed && this.#said === '' && size === this.#size;
    if (isIdle && now - this.#drawnAt < IDLE_MS) return;
    this.#size = size;
    this.#draw();
  }

  #draw(): void {
    const { screen, nowMs } = this.#options;
    const started = nowMs();
    this.#frame += 1;
    screen.draw(this.#text(), this.#said);
    this.#said = '';
    this.#changed = false;
    this.#drawnAt = started;
    this.#notBefore = started + (nowMs() - started) * DRAW_SHARE;
  }

  #text(): string {
    const { screen, rows, unicode, nowMs } = this.#options;
    const columns = screen.columns() - 1;
    const room = Math.max(3, screen.rows() - 4 - Math.min(this.#errors.length, ERROR_LINES));
    const { chosen, hidden } = chosenRows(rows, room, this.#recent);
    const spinner = SPINNER[this.#frame % SPINNER.length] as string;
    const tree = treeOf(chosen, rows, { unicode, nowMs: nowMs(), spinner });
    this.#statusWidth = tree.reduce(
      (most, { status }) => Math.max(most, stringWidth(status)),
      this.#statusWidth,
    );
    const statusWidth = Math.min(this.#statusWidth, Math.floor(columns / 3));
    const style = { ...this.#options, columns, statusWidth };
    const lines = treeLines(tree, style, room - tree.length);
    const errors = this.#errors.slice(-ERROR_LINES).map((line) => fitEnd(line, columns, unicode));
    return [...lines, ...errors, progressLine(this.#progress(hidden), style)].join('\n');
  }

  #progress(hidden: number): Progress {
    const { rows, planning = false, expected, nowMs } = this.#options;
    return {
      planning,
      settled: rows.settled,
      expected,
      elapsed: formatDuration(nowMs() - this.#beganMs),
      running: runningTexts(rows, nowMs()),
      stopping: this.#stopping,
      hidden,
      failed: rows.failed.size,
    };
  }
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
