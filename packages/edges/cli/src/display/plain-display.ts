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
import { diagnosticHead, diagnosticLines, fittedLines } from '../terminal/report.js';
import type { ReportStyle } from '../terminal/report.js';
import { formatDuration } from '../terminal/duration.js';
import { stepDiffLines } from './diff/step-diff.js';
import type { Display } from './display.js';
import { WrittenTree, plainLine } from './row-line.js';
import { RowModel, asOfStep, isListed } from './rows.js';
import type { Row, StepEvent } from './rows.js';
import { shortType } from './short-type.js';

/** Options of the append-only display. */
interface PlainOptions {
  readonly write: (text: string) => void;
  readonly paint: Paint;
  readonly diff: boolean;
  /** Lines of differences longer than this are broken at blanks. If undefined, no line is broken. */
  readonly diffColumns?: number | undefined;
  readonly showSames: boolean;
  readonly showReads?: boolean;
  /** True if rows are named by their URNs. */
  readonly urns?: boolean;
  /** Omits the heartbeat. */
  readonly suppressProgress?: boolean;
  /** True if long texts are not shortened. */
  readonly full?: boolean;
  /** Makes a preview show each half of a replacement. */
  readonly showReplacementSteps?: boolean;
  readonly showSecrets: boolean;
  readonly unicode?: boolean | undefined;
  readonly debug: boolean;
  /** True if errors and warnings have the form that scripts written for the other tool look for. */
  readonly alias?: boolean | undefined;
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
export function plainDisplay(options: PlainOptions): Display {
  const rows = new RowModel(options);
  /** Planned deletes of objects that have no replacement so far. */
  const goneFirst = new Map<Urn, Row>();
  const tree = new WrittenTree();
  /** Lines of failures that have no row, each written once. */
  const failed = new Set<string>();
  const line = (text: string): void => options.write(`${text}\n`);
  const stop =
    options.suppressProgress === true
      ? () => undefined
      : options.every(HEARTBEAT_MS, () => heartbeat(rows, options, line));

  const write = (row: Row, withReason: boolean): void => {
    // The reason for the failure is reported elsewhere.
    const shown = row.status === 'failed' ? { ...row, message: '' } : row;
    const indent = tree.indent(row, rows);
    line(plainLine(shown, indent, options.paint, withReason));
    if (!withReason || (!options.diff && !hasFound(row, options))) return;
    for (const text of stepDiffLines(row.step, options))
      for (const part of fittedLines(`${indent}  ${text}`, options.diffColumns)) line(part);
  };

  const plan = (row: Row, event: StepEvent): void => {
    if (row.status === 'running') return;
    if (options.showReplacementSteps) {
      if (isListed(row, options)) write(asOfStep(row, event), true);
      return;
    }
    if (row.step.kind === 'create-replacement') return;
    if (row.step.kind === 'delete-replaced') {
      if (row.kind !== 'replace') goneFirst.set(row.urn, row);
      return;
    }
    goneFirst.delete(row.urn);
    if (isListed(row, options)) write(row, true);
  };

  const happened = (event: StepEvent, whole: Row): void => {
    const row = asOfStep(whole, event);
    const running = row.status === 'running';
    if (!isListed(row, options)) return;
    if (running && (row.kind === 'replace' || row.kind === 'same')) return;
    write(row, running || row.step.kind === 'refresh');
  };

  return {
    event(event: EngineEvent): void {
      const row = rows.apply(event, options.nowMs());
      switch (event.t) {
        case 'step-started':
        case 'step-ended':
        case 'step-failed':
          if (row === undefined) return;
          if (options.planning) plan(row, event);
          else happened(event, row);
          return;
        case 'diagnostic':
          if (event.ephemeral || (event.diagnostic.severity === 'debug' && !options.debug)) return;
          if (options.brief === true && event.diagnostic.severity === 'error') {
            if (row?.status === 'running' || row?.status === 'failed') return;
            const brief = briefLine(event.diagnostic, options);
            if (!failed.has(brief)) line(brief);
            failed.add(brief);
          } else for (const text of messageLines(event, options)) line(text);
          return;
        case 'program-output':
          for (const text of stripEscapes(event.text).replace(/\n$/, '').split('\n')) line(`    ${text}`);
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
          for (const row of goneFirst.values()) write(row, true);
          goneFirst.clear();
          return;
        default:
          unreachable(event);
      }
    },
    say: line,
    close: stop,
  };
}

/**
 * Returns an error by its code, if no row reports it. A cancelled operation has no verdict, so its error is shown here.
 */
function briefLine(diagnostic: Diagnostic, options: PlainOptions): string {
  const { urn, code } = diagnostic;
  if (code === 'CAIRN-CANCELLED') return diagnosticHead(diagnostic, options);
  const { paint, urns } = options;
  const type = urn === undefined || urn === '' ? '' : `${visibleName(shortType(urnType(urn)))} `;
  const name = urn === undefined || urn === '' ? '' : `${visibleName(urns === true ? urn : urnName(urn))} `;
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
  const { urn } = diagnostic;
  const about = urn === undefined || urn === '' ? '' : `${visibleName(urnName(urn))}: `;
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
 * Returns the whole error, indented by four blanks. The causes follow directly after the summary, then the place and
 * the next action.
 */
function wholeText(
  { severity, code, summary, causes = [], urn, source, hint }: Diagnostic,
  paint: Paint,
): string[] {
  const label = paint[severity === 'error' ? 'red' : 'yellow'](paint.bold(`${severity}:`));
  const [first = '', ...more] = stripEscapes(
    [code === 'CAIRN-CANCELLED' ? CANCELLED : summary, ...causes.map(hanging)].join('\n'),
  )
    .trimEnd()
    .split('\n');
  const place = [source?.file, source?.line, source?.column].filter((part) => part !== undefined);
  return [
    `    ${label} ${first}`,
    ...more.map((line) => `    ${line}`),
    ...(urn === undefined || urn === '' ? [] : [`      at ${visibleName(urn)}`]),
    ...(source === undefined ? [] : [`      at ${visibleName(place.join(':'))}`]),
    ...(hint === undefined ? [] : [`      ${paint.bold('hint:')} ${hint}`]),
  ];
}

function heartbeat(rows: RowModel, options: PlainOptions, line: (text: string) => void): void {
  for (const urn of rows.running) {
    const row = rows.byUrn.get(urn);
    if (row === undefined) continue;
    const elapsed = options.nowMs() - row.startedMs;
    if (elapsed >= HEARTBEAT_MS)
      line(
        options.paint.dim(
          `    ${ellipsisOf(options.unicode !== false)} ${shortType(row.type)} ${visibleName(row.name)}: ${row.step.kind} still running (${formatDuration(elapsed)})`,
        ),
      );
  }
}
