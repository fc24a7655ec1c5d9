import type { Diagnostic } from '@cairn/diagnostics';
import { diagnosticLines, reportStyle } from './report.js';
import type { CommandContext } from '../command-context.js';

/** Writes warnings and notes to stderr. */
export function writeDiagnostics(context: CommandContext, diagnostics: readonly Diagnostic[]): void {
  const style = reportStyle(context);
  for (const diagnostic of diagnostics)
    context.stderr.write(`${diagnosticLines(diagnostic, 1, style).join('\n')}\n`);
}

/** Warns that secrets are shown [CLI-13]. */
export function warnOfSecrets(context: CommandContext): void {
  context.stderr.write('warning: secrets are shown in the clear\n');
}
