import { cairnError } from '@cairn/diagnostics';
import type { GenerateProblem } from '@cairn/wire';
import type { CommandContext } from '../command-context.js';

/** Prints the warnings of a conversion. Throws CAIRN-PROGRAM-LOAD for errors, because the result is incomplete. */
export function tellProblems(
  context: CommandContext,
  what: string,
  problems: readonly GenerateProblem[],
): void {
  const text = ({ summary, detail }: GenerateProblem) => (detail === '' ? summary : `${summary}\n${detail}`);
  for (const problem of problems.filter(({ severity }) => severity === 'warning'))
    context.stderr.write(`warning: ${text(problem)}\n`);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  throw cairnError('CAIRN-PROGRAM-LOAD', what, {
    causes: errors.flatMap((problem) => text(problem).split('\n')),
    hint: 'Correct the source, then run the command again.',
  });
}
