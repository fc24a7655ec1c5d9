import { isCairnError, messageOf } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Paint } from './paint.js';
import { underAlias } from './alias-errors.js';
import { visibleName } from './controls.js';
import { stripEscapes } from './paint.js';

/** How to write diagnostics. */
export interface ReportStyle {
  readonly paint: Paint;
  /** Add the stack trace of internal errors. */
  readonly debug: boolean;
  /** Absent or false: the code stands behind `error`; true: as scripts look for it that know the other tool. */
  readonly alias?: boolean | undefined;
}

/** Lines of one diagnostic: what, where, why, what next [CLI-2]. */
export function diagnosticLines(told: Diagnostic, count: number, style: ReportStyle): readonly string[] {
  const { paint, alias = false } = style;
  const diagnostic = alias ? underAlias(told) : told;
  const label = alias ? `${diagnostic.severity}:` : `${diagnostic.severity}[${diagnostic.code}]:`;
  const painted =
    diagnostic.severity === 'error' ? paint.red(paint.bold(label)) : paint.yellow(paint.bold(label));
  const times = count > 1 ? paint.dim(` (${count} times)`) : '';
  const [first = '', ...more] = stripEscapes(diagnostic.summary).split('\n');
  const lines = [`${painted} ${first}${times}`, ...more.map((line) => `  ${line}`)];
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
  return lines;
}

/** The same diagnostic reported several times becomes one with a count; order of first appearance. */
export function countDiagnostics(
  diagnostics: readonly Diagnostic[],
): readonly { readonly diagnostic: Diagnostic; readonly count: number }[] {
  const counted = new Map<string, { diagnostic: Diagnostic; count: number }>();
  for (const diagnostic of diagnostics) {
    const key = JSON.stringify([diagnostic.code, diagnostic.summary, diagnostic.urn, diagnostic.causes]);
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { diagnostic, count: 1 });
    else known.count += 1;
  }
  return [...counted.values()];
}

/** Text of anything that was thrown. Ours have four parts; anything else is an internal error. */
export function errorText(thrown: unknown, style: ReportStyle): string {
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
      hint: 'this is a bug in Cairn: run again with --debug and report what it prints',
    },
    1,
    style,
  );
  const trace = style.debug && thrown instanceof Error ? `${thrown.stack ?? ''}\n` : '';
  return `${lines.join('\n')}\n${trace}`;
}
