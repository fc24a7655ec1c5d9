import { EXIT, cairnError, exitCodeFor, isCairnError } from '@cairn/diagnostics';
import { stacksInOrder } from '@cairn/operations/rare';
import type { OrderedStack } from '@cairn/operations/rare';
import { firstGiven } from '../flags/flag-spec.js';
import type { OperationFlags } from '../flags/operation.js';
import { answerForm } from '../display/answer-form.js';
import { alignedLines } from '../terminal/columns.js';
import { formatDuration } from '../terminal/duration.js';
import { errorText, reportStyle } from '../terminal/report.js';
import type { CommandContext } from '../command-context.js';
import { portsOf } from './ports.js';
import { stackChoice } from './stack-choice.js';

/** Outcome of one of several stacks. */
interface Done {
  readonly stack: string;
  readonly what: string;
  readonly code: number;
}

/**
 * Runs an operation on each of several stacks, one after the other [CLI-16]. The order follows their references,
 * reversed for a destroy. The first failure ends the run, unless it may continue with stacks that do not need the
 * failed one. Resolves with the exit code of the first failure.
 */
export async function onSeveral(
  context: CommandContext,
  flags: OperationFlags,
  kind: 'up' | 'destroy' | 'refresh',
  run: (context: CommandContext, flags: OperationFlags) => Promise<number>,
): Promise<number> {
  refuseOthers(flags);
  const ordered = await stacksInOrder(portsOf(context, flags), stackChoice(flags), flags.stacks ?? []);
  const stacks = kind === 'destroy' ? turned(ordered) : ordered;
  const out = answerForm(context, flags, 'run') === 'text' ? context.stdout : context.stderr;
  const done: Done[] = [];
  for (const [index, { stack, needs }] of stacks.entries()) {
    const missing = needs.filter((other) =>
      done.some((each) => each.stack === other && each.code !== EXIT.ok),
    );
    if (missing.length > 0) {
      done.push({ stack, what: `not tried: ${missing.join(', ')} failed`, code: EXIT.general });
      continue;
    }
    out.write(`${index === 0 ? '' : '\n'}Stack ${stack} (${index + 1} of ${stacks.length})\n`);
    const code = await runOne(context, { ...flags, stack }, stack, run, done);
    if (code !== EXIT.ok && (code === EXIT.cancelled || !flags.continueOnError)) break;
  }
  const tried = new Set(done.map(({ stack }) => stack));
  const rest = stacks.filter(({ stack }) => !tried.has(stack)).map(({ stack }) => [stack, 'not tried']);
  out.write(`\nStacks:\n`);
  for (const line of alignedLines([...done.map(({ stack, what }) => [stack, what]), ...rest]))
    out.write(`    ${line}\n`);
  return done.find(({ code }) => code !== EXIT.ok)?.code ?? EXIT.ok;
}

async function runOne(
  context: CommandContext,
  flags: OperationFlags,
  stack: string,
  run: (context: CommandContext, flags: OperationFlags) => Promise<number>,
  done: Done[],
): Promise<number> {
  const begun = context.now().getTime();
  // Each stack has its own ports: questions and reports concern one stack.
  const own = { ...context, early: undefined };
  const code = await run(own, flags).catch((thrown: unknown) => {
    if (!isCairnError(thrown)) throw thrown;
    context.stderr.write(errorText(thrown, reportStyle(context)));
    return exitCodeFor(thrown.diagnostics[0]?.code ?? '');
  });
  const time = formatDuration(context.now().getTime() - begun);
  done.push({ stack, what: code === EXIT.ok ? `done in ${time}` : `failed after ${time}`, code });
  return code;
}

/** Reverses the order: each stack comes before those that it needs. */
function turned(stacks: readonly OrderedStack[]): readonly OrderedStack[] {
  return stacks.toReversed().map(({ stack }) => ({
    stack,
    needs: stacks.filter(({ needs }) => needs.includes(stack)).map((other) => other.stack),
  }));
}

/** Refuses flags that concern one stack, or name one file. */
function refuseOthers(flags: OperationFlags): void {
  const other = firstGiven(flags, [
    ...(['stack', 'configFile', 'plan', 'savePlan', 'importFile', 'eventLog', 'summary', 'client'] as const),
    ...(['detach', 'noWait', 'attachDebugger', 'base', 'ask'] as const),
  ]);
  if (other === undefined) return;
  throw cairnError('CAIRN-USAGE', `--${other} and --stacks cannot be given together`, {
    hint: `Name a single stack with --stack, or leave --${other} out.`,
  });
}
