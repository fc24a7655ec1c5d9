import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent } from '@cairn/engine';
import { underAlias } from '../terminal/alias-errors.js';
import { visibleName } from '../terminal/controls.js';
import { ellipsisOf } from '../terminal/fitting.js';
import type { Paint } from '../terminal/paint.js';
import { stripEscapes } from '../terminal/paint.js';
import { diagnosticHead, diagnosticLines, fittedLines, placeText } from '../terminal/report.js';
import type { ReportStyle } from '../terminal/report.js';
import { formatDuration } from '../terminal/duration.js';
import { stepDiffLines } from './diff/step-diff.js';
import { aboutUrn } from './diagnostic-words.js';
import type { Display } from './display.js';
import { WrittenTree, plainLine } from './row-line.js';
import { asOfStep, isListed } from './rows.js';
import type { Listing, Row, RowModel, StepEvent } from './rows.js';
import { shortType } from './short-type.js';

/** Options of the append-only display. */
export interface PlainOptions extends ReportStyle {
  readonly write: (text: string) => void;
  /** Rows of the operation, which its events have changed already. */
  readonly rows: RowModel;
  readonly diff: boolean;
  /** Lines of differences longer than this are wrapped at spaces. If undefined, no line is broken. */
  readonly diffColumns?: number | undefined;
  readonly listing: Listing;
  /** Omits the heartbeat. */
  readonly suppressProgress?: boolean;
  /** True if long texts are not shortened. */
  readonly full?: boolean;
  /** Makes a preview show each half of a replacement. */
  readonly showReplacementSteps?: boolean;
  readonly showSecrets: boolean;
  readonly unicode?: boolean | undefined;
  /** True if errors are named by their codes when they happen; the verdict reports them in full. */
  readonly brief?: boolean | undefined;
  /** True for a preview: one line for each resource, without starts. */
  readonly planning: boolean;
  readonly nowMs: () => number;
  /**
   * Calls back every so many milliseconds; returns a function that stops it. Injected so that tests control the time.
   */
  readonly every: (ms: number, tick: () => void) => () => void;
}

const HEARTBEAT_MS = 10_000;

/**
 * Append-only output: one line when a step starts and one when it ends, and a heartbeat every ten seconds [CLI-5]. A
 * line describes only its own step. Plans have one line for each resource: the halves of a replacement are shown only
 * in the run. Deletes of originals without a replacement come last.
 */
export class PlainDisplay implements Display {
  readonly #options: PlainOptions;
  readonly #stop: (() => void) | undefined;
  /** Planned deletes of objects that have no replacement so far. */
  readonly #goneFirst = new Map<Urn, Row>();
  readonly #tree = new WrittenTree();
  /** Lines of failures that have no row, each written once. */
  readonly #failures = new Set<string>();

  constructor(options: PlainOptions) {
    this.#options = options;
    if (options.suppressProgress !== true) this.#stop = options.every(HEARTBEAT_MS, () => this.#heartbeat());
  }

  event(event: EngineEvent, row?: Row): void {
    switch (event.t) {
      case 'step-started':
      case 'step-ended':
      case 'step-failed':
        if (row === undefined) return;
        return this.#options.planning ? this.#planned(event, row) : this.#happened(event, row);
      case 'diagnostic':
        return this.#message(event, row);
      case 'program-output':
        for (const text of stripEscapes(event.text).replace(/\n$/, '').split('\n')) this.say(`    ${text}`);
        return;
      case 'prelude':
      case 'debugging-started':
      case 'policies-loading':
      case 'policy-violation':
      case 'policy-remediation':
      case 'policy-summary':
        return;
      case 'outputs':
      case 'summary':
        for (const each of this.#goneFirst.values()) this.#row(each, true);
        this.#goneFirst.clear();
        return;
      default:
        unreachable(event);
    }
  }

  say(line: string): void {
    this.#options.write(`${line}\n`);
  }

  close(): void {
    this.#stop?.();
  }

  #planned(event: StepEvent, row: Row): void {
    const { showReplacementSteps = false, listing } = this.#options;
    if (row.status === 'running') return;
    if (showReplacementSteps) {
      if (isListed(row, listing)) this.#row(asOfStep(row, event), true);
      return;
    }
    if (row.step.kind === 'create-replacement') return;
    if (row.step.kind === 'delete-replaced') {
      if (row.kind !== 'replace') this.#goneFirst.set(row.urn, row);
      return;
    }
    this.#goneFirst.delete(row.urn);
    if (isListed(row, listing)) this.#row(row, true);
  }

  #happened(event: StepEvent, whole: Row): void {
    const row = asOfStep(whole, event);
    const running = row.status === 'running';
    if (!isListed(row, this.#options.listing)) return;
    if (running && (row.kind === 'replace' || row.kind === 'same')) return;
    this.#row(row, running || row.step.kind === 'refresh');
  }

  #row(row: Row, withReason: boolean): void {
    const { rows, paint, diff, diffColumns } = this.#options;
    // The reason for the failure is reported elsewhere.
    const shown = row.status === 'failed' ? { ...row, message: '' } : row;
    const indent = this.#tree.indent(row, rows);
    this.say(plainLine(shown, indent, paint, withReason));
    if (!withReason || (!diff && !hasFound(row, this.#options))) return;
    for (const text of stepDiffLines(row.step, this.#options))
      for (const part of fittedLines(`${indent}  ${text}`, diffColumns)) this.say(part);
  }

  #message(event: Extract<EngineEvent, { t: 'diagnostic' }>, row: Row | undefined): void {
    const { severity } = event.diagnostic;
    const { debug, brief = false } = this.#options;
    if (event.ephemeral || (severity === 'debug' && !debug)) return;
    if (!brief || severity !== 'error')
      return messageLines(event, this.#options).forEach((text) => this.say(text));
    if (row?.status === 'running' || row?.status === 'failed') return;
    const line = briefLine(event.diagnostic, this.#options);
    if (!this.#failures.has(line)) this.say(line);
    this.#failures.add(line);
  }

  #heartbeat(): void {
    const { rows, nowMs, paint, unicode } = this.#options;
    for (const urn of rows.running) {
      const row = rows.byUrn.get(urn);
      if (row === undefined) continue;
      const elapsed = nowMs() - row.startedMs;
      const words = `${row.step.kind} still running (${formatDuration(elapsed)})`;
      const name = `${shortType(row.type)} ${visibleName(row.name)}`;
      if (elapsed >= HEARTBEAT_MS)
        this.say(paint.dim(`    ${ellipsisOf(unicode !== false)} ${name}: ${words}`));
    }
  }
}

/**
 * Returns an error by its code, if no row reports it. A cancelled operation has no verdict, so its error is shown here.
 */
function briefLine(diagnostic: Diagnostic, options: PlainOptions): string {
  const { code } = diagnostic;
  if (code === 'CAIRN-CANCELLED') return diagnosticHead(diagnostic, options);
  const { paint, listing } = options;
  const urn = aboutUrn(diagnostic);
  const type = urn === undefined ? '' : `${visibleName(shortType(urnType(urn)))} `;
  const name = urn === undefined ? '' : `${visibleName(listing.urns === true ? urn : urnName(urn))} `;
  return ` ${paint.red('! ')}   ${type}${paint.bold(name)}${paint.red('**failed**')}  ${paint.dim(code)}`;
}

/** Tells whether a completed look-up reports the differences it found. */
function hasFound({ step, status }: Row, { planning }: PlainOptions): boolean {
  return !planning && step.kind === 'refresh' && status === 'done';
}

/** Returns errors and warnings in four parts. Information is returned unchanged, behind the name of its resource. */
export function messageLines(
  { diagnostic }: Pick<Extract<EngineEvent, { t: 'diagnostic' }>, 'diagnostic'>,
  style: ReportStyle,
): readonly string[] {
  if (diagnostic.severity === 'error' || diagnostic.severity === 'warning')
    return style.alias === true
      ? wholeText(underAlias(diagnostic), style.paint)
      : diagnosticLines(diagnostic, 1, style);
  const urn = aboutUrn(diagnostic);
  const about = urn === undefined ? '' : `${visibleName(urnName(urn))}: `;
  return stripEscapes(diagnostic.summary)
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => `    ${about}${text}`);
}

/** Matches an input that a constructor or method refuses. Such inputs are listed below the refusal. */
const REFUSED = /^property .* has a problem: /;
const hanging = (cause: string): string => (REFUSED.test(cause) ? `\t\t- ${cause}` : cause);

/** Text that scripts look for when an operation was cancelled. */
const CANCELLED = 'update canceled';

/**
 * Returns the whole error, indented by four spaces. The causes follow directly after the summary, then the place and
 * the next action.
 */
function wholeText(diagnostic: Diagnostic, paint: Paint): string[] {
  const { severity, code, summary, causes = [], source, hint } = diagnostic;
  const urn = aboutUrn(diagnostic);
  const label = paint[severity === 'error' ? 'red' : 'yellow'](paint.bold(`${severity}:`));
  const [first = '', ...more] = stripEscapes(
    [code === 'CAIRN-CANCELLED' ? CANCELLED : summary, ...causes.map(hanging)].join('\n'),
  )
    .trimEnd()
    .split('\n');
  return [
    `    ${label} ${first}`,
    ...more.map((line) => `    ${line}`),
    ...(urn === undefined ? [] : [`      at ${visibleName(urn)}`]),
    ...(source === undefined ? [] : [`      at ${visibleName(placeText(source))}`]),
    ...(hint === undefined ? [] : [`      ${paint.bold('hint:')} ${hint}`]),
  ];
}
