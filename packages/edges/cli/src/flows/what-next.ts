import type { OperationKind, OperationSummary, OutputsToTell, WaitingTask } from '@cairn/engine';
import type { PassEnd } from '@cairn/operations/stacks';
import { urnName } from '@cairn/addresses';
import { alignedLines } from '../terminal/columns.js';
import type { StackFlags } from '../flags/operation.js';
import { answerForm } from '../display/answer-form.js';
import { paintFor } from '../terminal/paint.js';
import { firstLine } from '../terminal/paint.js';
import type { CommandContext } from '../command-context.js';
import { stackWords } from './stack-choice.js';
import { exampleOutputs } from './outputs-file.js';

/**
 * Prints the next commands after an operation that did not complete: the waiting tasks with their answers, and commands
 * that resume the change or roll it back. Their ids can be pasted [CLI-14]. They go to stderr if stdout is for JSON.
 */
export function whatNext(
  context: CommandContext,
  { kind, flags }: { readonly kind: OperationKind; readonly flags: StackFlags },
  change: string,
  { result: { summary, waiting }, unfinished }: Pick<PassEnd, 'result' | 'unfinished'>,
): void {
  // The resolved step belongs to a change that may still have to be resumed.
  if (summary.result === 'succeeded' && waiting.length === 0 && kind !== 'resolve') return;
  const stack = stackWords(flags);
  // A person at a terminal has seen steps in doubt as they were found, and is asked about them next.
  const isAsked = (task: WaitingTask): boolean =>
    context.terminal.interactive &&
    kind !== 'resolve' &&
    task.kind === 'in-doubt' &&
    !(task.doubt === 'creating' && flags.skipPendingCreates);
  // An answer that was refused has ended with an error, which is the reason why the step still waits.
  const isRefused = kind === 'resolve' && summary.result === 'failed';
  const lines = waiting.flatMap((task) =>
    isAsked(task) ? [] : waitingLines(isRefused ? { ...task, why: '' } : task, change, stack),
  );
  if (unfinished) lines.push(...unfinishedLines(change, stack, again(kind, summary.result)));
  if (lines.length === 0) return;
  const paint = paintFor(context.terminal.colour);
  const out = answerForm(context, flags, 'run') === 'text' ? context.stdout : context.stderr;
  out.write(`\n${lines.map((line) => (line.startsWith(' ') ? line : paint.bold(line))).join('\n')}\n`);
}

/** Returns the name of a waiting task in commands. A step in doubt has its own name. */
function pastedName({ task, kind }: Pick<WaitingTask, 'task' | 'kind'>, change: string): string {
  return kind === 'in-doubt' || task.includes('/') ? task : `${change}/${task}`;
}

function waitingLines(task: WaitingTask, change: string, stack: string): string[] {
  const id = pastedName(task, change);
  const why = task.why === '' ? '' : `: ${firstLine(task.why)}`;
  const during = task.doubt === undefined ? '' : ` while ${task.doubt}`;
  const code = task.kind === 'in-doubt' ? ` [CAIRN-IN-DOUBT${during}]` : '';
  const title = `${id} ${urnName(task.urn)} waits${why}${code}`;
  return [title, ...commandLines(answersTo(task, id, stack))];
}

function doubtAnswers(
  { doubt, outputs }: WaitingTask,
  id: string,
  stack: string,
): readonly (readonly [string, string])[] {
  const told = outputs?.needed === 'always' ? ' --outputs FILE' : '';
  const file = outputs === undefined ? '' : fileWords(outputs);
  if (doubt === 'updating' || doubt === 'deleting')
    return [
      [`cairn change resolve ${id} --done${told}${stack}`, `it was ${PAST[doubt]}${file}`],
      [`cairn change resolve ${id} --not-done${stack}`, `it was not ${PAST[doubt]}`],
    ];
  return [
    [`cairn change resolve ${id} --created ID${told}${stack}`, `it was created, with this id${file}`],
    [`cairn change resolve ${id} --not-created${stack}`, 'it was not created'],
  ];
}

/** Returns the text about the file with outputs. */
function fileWords({ names, needed }: OutputsToTell): string {
  const file = `FILE has its outputs as JSON: ${exampleOutputs(names)}`;
  return needed === 'always'
    ? `, and ${file}`
    : `; add --outputs FILE where its provider cannot read them: ${file}`;
}

const PAST = { updating: 'updated', deleting: 'deleted' } as const;

/** Returns commands that answer a waiting task. */
function answersTo(task: WaitingTask, id: string, stack: string): readonly (readonly [string, string])[] {
  switch (task.kind) {
    case 'in-doubt':
      return doubtAnswers(task, id, stack);
    case 'gate':
    case 'consent':
      return [[`cairn approve ${id}${stack}`, 'approve it']];
  }
}

/** Returns the command that starts over after a failure. The cause of the failure must be corrected first. */
export function again(kind: OperationKind, result: OperationSummary['result']): string | undefined {
  return result === 'failed' && AGAIN.has(kind) ? kind : undefined;
}

const AGAIN: ReadonlySet<OperationKind> = new Set<OperationKind>(['up', 'destroy', 'refresh']);

/** Returns commands in the order in which users need them. */
function unfinishedLines(change: string, stack: string, command: string | undefined): string[] {
  return [
    `change ${change} is not finished:`,
    ...commandLines([
      ...(command === undefined
        ? []
        : [[`cairn ${command}${stack}`, 'once the cause is corrected'] as const]),
      [`cairn resume ${change}${stack}`, 'continue it'],
      [`cairn rollback ${change}${stack}`, 'roll it back'],
      [`cairn change ${change}${stack}`, 'show it'],
    ]),
  ];
}

/** Returns commands with their purpose as a comment, so that a whole line can be pasted. */
function commandLines(commands: readonly (readonly [string, string])[]): readonly string[] {
  return alignedLines(commands.map(([command, what]) => [command, `# ${what}`])).map((line) => `    ${line}`);
}
