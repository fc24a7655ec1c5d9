import { EXIT, exitCodeFor, unreachable } from '@cairn/diagnostics';
import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationKind, EngineResult } from '@cairn/engine';
import type { Outcome } from '@cairn/operations';
import type { ProgramConfig } from '@cairn/workspace';
import type { StackFlags } from '../flags/operation.js';
import { answerForm } from '../display/answer-form.js';
import { outputChangeLines } from '../display/diff/step-diff.js';
import { pageLine } from '../display/page-line.js';
import { inDoubtLines, standingOf, summaryLines } from '../display/summary.js';
import { outputLines } from '../display/value-text.js';
import { verdictLines } from '../display/verdict.js';
import type { VerdictStyle } from '../display/verdict.js';
import { isAlias } from '../terminal/called-as.js';
import { paintFor } from '../terminal/paint.js';
import { countDiagnostics, diagnosticKey, diagnosticLines, reportStyle } from '../terminal/report.js';
import { terminalColumns } from '../terminal/terminal-size.js';
import type { CommandContext } from '../command-context.js';
import type { CiMarks } from '../display/ci-marks.js';
import type { PassDisplay } from '../display/pass-display.js';

/** A displayed operation, with the flags that control its display. */
interface Shown {
  readonly kind: OperationKind;
  readonly flags: StackFlags;
  /** Configuration that its program received. */
  readonly config: ProgramConfig;
  /** Number of resources that its preview has seen. */
  readonly expected?: number | undefined;
  /** Marks of the CI system for the log. */
  readonly marks?: CiMarks | undefined;
  /** Directory of its project. */
  readonly root?: string | undefined;
  /** Address of its page, if there is one. */
  readonly page?: string | undefined;
  /** Reads lines of its program. */
  readonly sourceLine?: VerdictStyle['sourceLine'] | undefined;
}

/** Prints the result of an operation when it is over, in the requested form. */
export function answer(
  context: CommandContext,
  operation: Shown,
  which: 'preview' | 'run',
  result: EngineResult,
  display: PassDisplay,
): void {
  if (answerForm(context, operation.flags, which) !== 'text') {
    display.end(operation.page);
    context.stdout.write(display.answer(result, operation.config, operation.page));
    return;
  }
  conclude(context, operation, result, display);
  // The address of a change is printed at its start.
  if (which === 'preview') context.stdout.write(pageLine(operation.page, operation.flags));
}

/** Prints doubts, then the result. On a CI system the log marks its problems. */
function conclude(
  context: CommandContext,
  operation: Shown,
  result: EngineResult,
  display: PassDisplay,
): void {
  // Waiting tasks follow the summary, with the commands that answer them.
  const waiting = new Set(result.waiting.map(({ urn }) => urn));
  const { reports } = display;
  const doubts = reports.doubts.filter(({ urn }) => urn === undefined || !waiting.has(urn as Urn));
  context.stdout.write(inFull(context, doubts));
  // A resolution counts nothing: its findings are printed as they come.
  if (operation.kind === 'resolve') return void context.stdout.write(inFull(context, reports.named));
  const text = resultLines(context, operation, result, display).join('\n');
  const { marks } = operation;
  if (marks === undefined) return void context.stdout.write(text);
  const [begin = '', end = ''] = marks.guard(GUARDED).split(GUARDED);
  context.raw.stdout.write(begin);
  context.stdout.write(text);
  context.raw.stdout.write(end + marks.problems(result.diagnostics, operation.root));
}

/** Returns outputs, policies, failures, steps in doubt, counts and duration. */
function resultLines(
  context: CommandContext,
  operation: Shown,
  result: EngineResult,
  display: PassDisplay,
): readonly string[] {
  const { view, reports } = display;
  const paint = paintFor(context.terminal.colour);
  const columns = context.terminal.redraw ? terminalColumns(context.stdout, context.env) - 1 : undefined;
  // If the operation did not get that far, these outputs would be those of an earlier one.
  const known = result.summary.result === 'succeeded' || view.tally.outputs !== undefined;
  const lines = ['', ...(known ? outputLinesOf(context, operation, result, display) : [])];
  const { summary, inDoubt } = result;
  lines.push(...display.policies(isCut(result)));
  const failures = [...result.diagnostics, ...namedOnly(display, result)];
  if (summary.result !== 'succeeded')
    lines.push(
      ...verdictLines(
        failures.flatMap((each) => withoutReported(each, display)),
        {
          paint,
          alias: isAlias(context),
          unicode: context.terminal.unicode,
          columns,
          urns: operation.flags.urns === true,
          sourceLine: operation.sourceLine ?? (() => undefined),
        },
      ),
    );
  else lines.push(...inFull(context, reports.named).split('\n').slice(0, -1));
  if (summary.result !== 'succeeded' && isAlias(context))
    lines.push(failureWords(operation.kind, summary), '');
  lines.push(...inDoubtLines(inDoubt, paint, failures));
  const standing = standingOf(summary, view.tally, operation.expected, inDoubt, paint);
  return [...lines, ...summaryLines(summary, paint, view.tally, standing, columns), ''];
}

/** Tells whether the pass ended before it had seen everything. A policy violation does not end it. */
function isCut({ summary, diagnostics }: EngineResult): boolean {
  if (summary.result === 'succeeded') return false;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length === 0 || errors.some(({ code }) => code !== 'CAIRN-POLICY-VIOLATION');
}

/** Returns the line by which scripts written for the other tool recognise a failed or cancelled operation. */
function failureWords(kind: OperationKind, { preview, result }: EngineResult['summary']): string {
  const what = preview ? 'preview' : kind === 'up' ? 'update' : kind;
  return `error: ${what} ${result === 'cancelled' ? 'canceled' : 'failed'}`;
}

/** Returns errors that were reported in one line and are not among those of the result. */
function namedOnly({ reports }: PassDisplay, { diagnostics }: EngineResult): readonly Diagnostic[] {
  const known = new Set(diagnostics.map(diagnosticKey));
  return reports.named.filter((each) => !known.has(diagnosticKey(each)));
}

/** Returns errors in four parts, for an operation that has no verdict. */
function inFull(context: CommandContext, errors: readonly Diagnostic[]): string {
  return countDiagnostics(errors)
    .flatMap(({ diagnostic, count }) => diagnosticLines(diagnostic, count, reportStyle(context)))
    .map((line) => `${line}\n`)
    .join('');
}

/** Placeholder for the guarded text. */
const GUARDED = '\u0000';

/** Returns the lines for outputs: their changes in a preview, else their values. */
function outputLinesOf(
  context: CommandContext,
  operation: Shown,
  result: EngineResult,
  { view: { tally } }: PassDisplay,
): readonly string[] {
  if (operation.kind === 'destroy' || result.stackOutputs === undefined) return [];
  const { suppressOutputs = false, showSecrets = false, showFullOutput: full = false } = operation.flags;
  if (suppressOutputs) return [];
  const paint = paintFor(context.terminal.colour);
  if (!result.summary.preview) return outputLines(result.stackOutputs, showSecrets, paint, full);
  if (tally.outputs === undefined) return [];
  const { old, new: news } = tally.outputs;
  return outputChangeLines(old, news, { paint, showSecrets, full, unicode: context.terminal.unicode });
}

/**
 * Returns the exit code of an operation. It is non-zero if requested work was not done [CLI-10], or if the resulting
 * state is not consistent.
 */
export function exitCode(outcome: Outcome): number {
  const code = codeOf(outcome);
  const stored = outcome.t === 'ended' ? outcome.stored : [];
  const failure = stored.find(({ severity }) => severity === 'error');
  return failure === undefined || code !== EXIT.ok ? code : exitCodeFor(failure.code);
}

function codeOf({ status, result }: Outcome): number {
  switch (status) {
    case 'succeeded':
      return EXIT.ok;
    case 'cancelled':
      return EXIT.cancelled;
    case 'rolled-back':
      return EXIT.rolledBack;
    case 'waiting':
      return EXIT.waiting;
    case 'unexpected-changes':
      return EXIT.unexpectedChanges;
    case 'failed': {
      const error = result.diagnostics.find((diagnostic) => diagnostic.severity === 'error');
      return error === undefined ? EXIT.general : exitCodeFor(error.code);
    }
    default:
      return unreachable(status);
  }
}

/** Reduces a failure to its name if it was reported in full when it happened. One about no resource has no name. */
function withoutReported(failure: Diagnostic, { reports }: PassDisplay): readonly Diagnostic[] {
  if (!reports.isReported(failure)) return [failure];
  if (failure.urn === undefined) return [];
  return [{ ...failure, summary: '', common: undefined, causes: [], hint: undefined }];
}
