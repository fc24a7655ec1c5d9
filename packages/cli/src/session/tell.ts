import type { Diagnostic } from '@cairn/diagnostics';
import { isAlias } from '../terminal/called-as.js';
import { paintFor } from '../terminal/paint.js';
import { diagnosticLines } from '../terminal/report.js';
import type { World } from '../world.js';

/** Writes warnings and notes to stderr. */
export function tell(world: World, diagnostics: readonly Diagnostic[]): void {
  const { colour, debug } = world.terminal;
  const style = { paint: paintFor(colour), debug, alias: isAlias(world) };
  for (const diagnostic of diagnostics)
    world.stderr.write(`${diagnosticLines(diagnostic, 1, style).join('\n')}\n`);
}

/** Showing secrets is loud [CLI-13]. */
export function warnOfSecrets(world: World): void {
  world.stderr.write('warning: secrets are shown in the clear\n');
}
