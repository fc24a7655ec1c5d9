import type { Diagnostic } from '@cairn/diagnostics';
import { diagnosticLines, reportStyle } from './report.js';
import type { World } from '../world.js';

/** Writes warnings and notes to stderr. */
export function tell(world: World, diagnostics: readonly Diagnostic[]): void {
  const style = reportStyle(world);
  for (const diagnostic of diagnostics)
    world.stderr.write(`${diagnosticLines(diagnostic, 1, style).join('\n')}\n`);
}

/** Warns that secrets are shown [CLI-13]. */
export function warnOfSecrets(world: World): void {
  world.stderr.write('warning: secrets are shown in the clear\n');
}
