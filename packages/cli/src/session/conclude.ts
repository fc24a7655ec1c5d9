import { EXIT, exitCodeFor, unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationResult } from '@cairn/engine';
import type { Flags } from '../commands/command-spec.js';
import { answerForm } from '../display/answer-form.js';
import { previewDigest } from '../display/preview-digest.js';
import { resourceChanges } from '../display/resource-changes.js';
import { resultLine } from '../display/result-line.js';
import { inDoubtLines, outputLines, summaryLines } from '../display/summary.js';
import { paintFor } from '../terminal/paint.js';
import type { World } from '../world.js';
import type { Operation } from './operate.js';
import type { PhaseDisplay } from './phase.js';
import type { Prepared } from './prepare.js';

/** What an operation has to say when it is over, in the form that was asked for. */
export function answer(
  world: World,
  prepared: Prepared,
  operation: Operation,
  which: 'preview' | 'run',
  result: OperationResult,
  display: PhaseDisplay,
): void {
  const { flags } = operation;
  const form = answerForm(world, flags, which);
  const showSames = flags.on('show-sames');
  switch (form) {
    case 'text':
      return conclude(world, operation, result, display);
    case 'events':
      return;
    case 'digest': {
      const options = {
        showSecrets: flags.on('show-secrets'),
        showSames,
        showReplacementSteps: flags.on('show-replacement-steps'),
        suppressOutputs: flags.on('suppress-outputs'),
      };
      world.stdout.write(previewDigest(display.events, result, prepared, options));
      return;
    }
    case 'line':
      world.stdout.write(resultLine(display.events, result, showSames));
      return;
    default:
      unreachable(form);
  }
}

/** Outputs, steps in doubt, policies, counts and duration. */
export function conclude(
  world: World,
  operation: Operation,
  result: OperationResult,
  display: PhaseDisplay,
): void {
  // It counts nothing: what was found out is said as it goes.
  if (operation.kind === 'resolve') return;
  const paint = paintFor(world.terminal.colour);
  // Outputs of an operation that did not come so far would be those of an earlier one.
  const known = result.summary.result === 'succeeded' || display.tally.outputsSaid;
  const lines = ['', ...(known ? outputLinesOf(operation, result, paint) : [])];
  lines.push(...inDoubtLines(result.inDoubt, paint));
  lines.push(...display.policies(), ...summaryLines(result.summary, paint, display.tally), '');
  world.stdout.write(lines.join('\n'));
}

function outputLinesOf(
  operation: Operation,
  result: OperationResult,
  paint: ReturnType<typeof paintFor>,
): readonly string[] {
  if (operation.kind === 'destroy' || result.stackOutputs === undefined) return [];
  if (operation.flags.on('suppress-outputs')) return [];
  return outputLines(result.stackOutputs, operation.flags.on('show-secrets'), paint);
}

/** A refresh changes something when what it found does; what a program only reads it does not change. */
const UNCHANGED: ReadonlySet<string> = new Set([
  'same',
  'refresh',
  'read',
  'read-replacement',
  'read-discard',
  'discard',
  'discard-replaced',
]);

/**
 * A non-zero code whenever work asked for was not done [CLI-10], or the state that it left is not consistent. `stored`:
 * what storing the state has found.
 */
export function exitCode(
  flags: Flags,
  result: OperationResult,
  stored: readonly Pick<Diagnostic, 'severity' | 'code'>[] = [],
): number {
  const code = codeOf(flags, result);
  const failure = stored.find(({ severity }) => severity === 'error');
  return failure === undefined || code !== EXIT.ok ? code : exitCodeFor(failure.code);
}

function codeOf(flags: Flags, result: OperationResult): number {
  const { summary } = result;
  if (summary.result === 'cancelled') return EXIT.cancelled;
  if (summary.result === 'rolled-back') return EXIT.rolledBack;
  if (summary.result === 'waiting') return EXIT.waiting;
  if (summary.result === 'failed') {
    const error = result.diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    return error === undefined ? EXIT.general : exitCodeFor(error.code);
  }
  const steps = { ...summary.changes, ...resourceChanges(summary) };
  const changed = Object.entries(steps).some(([kind, count]) => count > 0 && !UNCHANGED.has(kind));
  return flags.on('expect-no-changes') && changed ? EXIT.unexpectedChanges : EXIT.ok;
}
