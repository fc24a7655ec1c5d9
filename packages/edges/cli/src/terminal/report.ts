import { stringWidth } from './width.js';
import { isCairnError, isOutOfDescriptors, messageOf, outOfDescriptors } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { World } from '../world.js';
import { isAlias } from './called-as.js';
import type { Paint } from './paint.js';
import { underAlias } from './alias-errors.js';
import { visibleName } from './controls.js';
import { wrapped } from './fitting.js';
import { paintFor, stripEscapes } from './paint.js';
import { terminalColumns } from './terminal-size.js';

/** How to write diagnostics. */
export interface ReportStyle {
  readonly paint: Paint;
  /** Add the stack trace of internal errors. */
  readonly debug: boolean;
  /** Absent or false: the code stands behind `error`; true: as scripts look for it that know the other tool. */
  readonly alias?: boolean | undefined;
  /** Of the terminal; undefined: lines are as long as they are. */
  readonly columns?: number | undefined;
}

/** Nothing is broken at blanks on a terminal that is narrower. */
const LEAST_COLUMNS = 40;

/** How this command writes diagnostics: under the other tool's name they begin as there. */
export function reportStyle(world: Pick<World, 'env' | 'terminal' | 'self' | 'stderr'>): ReportStyle {
  const { colour, debug } = world.terminal;
  const columns = terminalColumns(world.stderr, world.env);
  return {
    paint: paintFor(colour),
    debug,
    alias: isAlias(world),
    columns: world.stderr.isTTY === true && columns >= LEAST_COLUMNS ? columns - 1 : undefined,
  };
}

/** `error[CODE]:`, or `error:` as the other tool begins it. */
export function labelText({ severity, code }: Pick<Diagnostic, 'severity' | 'code'>, alias = false): string {
  return alias ? `${severity}:` : `${severity}[${code}]:`;
}

function label({ severity, code }: Diagnostic, { paint, alias = false }: ReportStyle): string {
  const text = labelText({ severity, code }, alias);
  return severity === 'error' ? paint.red(paint.bold(text)) : paint.yellow(paint.bold(text));
}

/**
 * One line of a diagnostic that is told in full later: its beginning, and behind one that only leads to its cause the
 * first line of that.
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

/** Lines of one diagnostic: what, where, why, what next [CLI-2]. */
export function diagnosticLines(told: Diagnostic, count: number, style: ReportStyle): readonly string[] {
  const { paint, alias = false } = style;
  const diagnostic = alias ? underAlias(told) : told;
  const times = count > 1 ? paint.dim(` (${count} times)`) : '';
  const [first = '', ...more] = stripEscapes(diagnostic.summary).split('\n');
  const lines = [`${label(diagnostic, style)} ${first}${times}`, ...more.map((line) => `  ${line}`)];
  if (diagnostic.urn !== undefined) lines.push(`  at ${visibleName(diagnostic.urn)}`);
  if (diagnostic.source !== undefined) {
    const { file, line, column } = diagnostic.source;
    lines.push(`  at ${[file, line, column].filter((part) => part !== undefined).join(':')}`);
  }
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

/** The line, on a terminal that is too narrow for it broken at blanks. */
export function fittedLines(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined || stringWidth(line) <= columns) return [line];
  const [indent = ''] = /^ */.exec(line) ?? [];
  const margin = ' '.repeat(Math.min(16, Math.max(2, indent.length)));
  return wrapped(line.slice(indent.length), columns - margin.length, true).map(
    (part, index) => (index === 0 ? indent.slice(0, margin.length) : margin) + part,
  );
}

/** What makes two diagnostics the same. */
export function diagnosticKey({ code, summary, urn, causes }: Diagnostic): string {
  return JSON.stringify([code, summary, urn, causes]);
}

/** The same diagnostic reported several times becomes one with a count; order of first appearance. */
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

/** Text of anything that was thrown. Ours have four parts; anything else is an internal error. */
export function errorText(thrown: unknown, style: ReportStyle): string {
  if (isOutOfDescriptors(thrown) && !isCairnError(thrown))
    return errorText(outOfDescriptors('go on', thrown), style);
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
