import { stringWidth } from './width.js';
import { isCairnError, isOutOfDescriptors, messageOf, outOfDescriptors } from '@cairn/diagnostics';
import type { Diagnostic, SourceRange } from '@cairn/diagnostics';
import type { CommandContext } from '../command-context.js';
import { isAlias } from './called-as.js';
import type { Paint } from './paint.js';
import { underAlias } from './alias-errors.js';
import { visibleName } from './controls.js';
import { wrapped } from './fitting.js';
import { paintFor, stripEscapes } from './paint.js';
import { terminalColumns } from './terminal-size.js';

/** Style of written diagnostics. */
export interface ReportStyle {
  readonly paint: Paint;
  /** True to add the stack trace of internal errors. */
  readonly debug: boolean;
  /**
   * True if errors have the form that scripts written for the other tool look for. By default the code follows `error`.
   */
  readonly alias?: boolean | undefined;
  /** Width of the terminal. If undefined, lines are not broken. */
  readonly columns?: number | undefined;
}

/** On a terminal that is narrower than this, nothing is wrapped at spaces. */
const LEAST_COLUMNS = 40;

/** Returns this command's style of diagnostics. Under the other tool's name they begin as they do there. */
export function reportStyle(
  context: Pick<CommandContext, 'env' | 'terminal' | 'self' | 'stderr'>,
): ReportStyle {
  const { colour, debug } = context.terminal;
  const columns = terminalColumns(context.stderr, context.env);
  return {
    paint: paintFor(colour),
    debug,
    alias: isAlias(context),
    columns: context.stderr.isTTY === true && columns >= LEAST_COLUMNS ? columns - 1 : undefined,
  };
}

/** Returns `error[CODE]:`, or `error:` as the other tool begins it. */
export function labelText({ severity, code }: Pick<Diagnostic, 'severity' | 'code'>, alias = false): string {
  return alias ? `${severity}:` : `${severity}[${code}]:`;
}

function label({ severity, code }: Diagnostic, { paint, alias = false }: ReportStyle): string {
  const text = labelText({ severity, code }, alias);
  return severity === 'error' ? paint.red(paint.bold(text)) : paint.yellow(paint.bold(text));
}

/**
 * Returns one line for a diagnostic that is reported in full later: its first line. If that only introduces a cause,
 * the first line of the cause follows.
 */
export function diagnosticHead(told: Diagnostic, style: ReportStyle): string {
  const diagnostic = style.alias === true ? underAlias(told) : told;
  const { summary, causes = [] } = diagnostic;
  const [first = '', ...more] = [summary, ...causes]
    .flatMap((text) => stripEscapes(text).split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const led = first.endsWith(':') ? more.slice(0, 1) : [];
  return [label(diagnostic, style), first, ...led].join(' ');
}

/** Returns a place in a program, such as `index.ts:3:7`. */
export function placeText({ file, line, column }: SourceRange): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** Returns the lines of one diagnostic: the problem, its place, its causes, and the next action [CLI-2]. */
export function diagnosticLines(told: Diagnostic, count: number, style: ReportStyle): readonly string[] {
  const { paint, alias = false } = style;
  const diagnostic = alias ? underAlias(told) : told;
  const times = count > 1 ? paint.dim(` (${count} times)`) : '';
  const [first = '', ...more] = stripEscapes(diagnostic.summary).split('\n');
  const lines = [`${label(diagnostic, style)} ${first}${times}`, ...more.map((line) => `  ${line}`)];
  if (diagnostic.urn !== undefined) lines.push(`  at ${visibleName(diagnostic.urn)}`);
  if (diagnostic.source !== undefined) lines.push(`  at ${placeText(diagnostic.source)}`);
  for (const cause of diagnostic.causes ?? []) {
    lines.push(
      ...stripEscapes(cause)
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`),
    );
  }
  if (diagnostic.hint !== undefined) lines.push(`  ${paint.bold('hint:')} ${diagnostic.hint}`);
  return lines.flatMap((line) => fittedLines(line, style.columns));
}

/** Returns the line, wrapped at spaces if the terminal is too narrow for it. */
export function fittedLines(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined || stringWidth(line) <= columns) return [line];
  const [indent = ''] = /^ */.exec(line) ?? [];
  const margin = ' '.repeat(Math.min(16, Math.max(2, indent.length)));
  return wrapped(line.slice(indent.length), columns - margin.length, true).map(
    (part, index) => (index === 0 ? indent.slice(0, margin.length) : margin) + part,
  );
}

/** Returns a key by which equal diagnostics are recognised. */
export function diagnosticKey({ code, summary, urn, causes }: Diagnostic): string {
  return JSON.stringify([code, summary, urn, causes]);
}

/** Merges repeated diagnostics into one with a count, in order of first appearance. */
export function countDiagnostics(
  diagnostics: readonly Diagnostic[],
): readonly { readonly diagnostic: Diagnostic; readonly count: number }[] {
  const counted = new Map<string, { diagnostic: Diagnostic; count: number }>();
  for (const diagnostic of diagnostics) {
    const key = diagnosticKey(diagnostic);
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { diagnostic, count: 1 });
    else known.count += 1;
  }
  return [...counted.values()];
}

/**
 * Returns the text of anything that was thrown. Cairn's own errors have four parts; anything else is an internal error.
 */
export function errorText(thrown: unknown, style: ReportStyle): string {
  if (isOutOfDescriptors(thrown) && !isCairnError(thrown))
    return errorText(outOfDescriptors('continue', thrown), style);
  if (isCairnError(thrown)) {
    const lines = countDiagnostics(thrown.diagnostics).flatMap((row) =>
      diagnosticLines(row.diagnostic, row.count, style),
    );
    return `${lines.join('\n')}\n`;
  }
  const lines = diagnosticLines(
    {
      severity: 'error',
      code: 'CAIRN-INTERNAL',
      summary: `internal error: ${messageOf(thrown)}`,
      hint: 'This is a bug in Cairn: run again with --debug and report what it prints.',
    },
    1,
    style,
  );
  const trace = style.debug && thrown instanceof Error ? `${thrown.stack ?? ''}\n` : '';
  return `${lines.join('\n')}\n${trace}`;
}
