import { urnName } from '@cairn/addresses';
import type { DoubtResolution, WaitingTask } from '@cairn/engine';
import { askText, chooseOne } from '../terminal/prompt.js';
import type { Choice } from '../terminal/prompt.js';
import type { PropertyMap } from '@cairn/values';
import type { CommandContext } from '../command-context.js';
import { named } from './interrupts.js';
import { exampleOutputs, readOutputsFile } from './outputs-file.js';

/**
 * Asks a person at the terminal for the outcome of steps in doubt. There is one question for each kind, or one for each
 * step if the person prefers. Steps that the person does not know are omitted from the answers.
 */
export async function askInDoubt(
  context: CommandContext,
  tasks: readonly WaitingTask[],
): Promise<ReadonlyMap<string, DoubtResolution>> {
  const answers = new Map<string, DoubtResolution>();
  for (const question of doubtQuestions(tasks)) {
    const { tasks: asked, message, choices } = question;
    const answer =
      message === undefined ? 'each' : ((await chooseOne(context, message, choices, 'leave')) ?? 'leave');
    if (answer === 'leave') continue;
    for (const task of asked) {
      const one = answer === 'each' ? await askOne(context, task) : answerForAll(answer);
      if (one !== undefined) answers.set(task.task, one);
    }
  }
  return answers;
}

/** Answer about several steps at once. `each` gives no answer yet and asks about the steps one by one. */
type AnswerForAll = 'done' | 'not-done' | 'not-created' | 'each' | 'leave';

/** A question about steps in doubt of one kind. */
interface DoubtQuestion {
  readonly tasks: readonly WaitingTask[];
  /** Undefined if it is about one step, which has its own message. */
  readonly message: string | undefined;
  readonly choices: readonly Choice<AnswerForAll>[];
}

/**
 * Returns the questions about these steps, one for each kind of doubt. The answer that all were created is not offered,
 * because each has its own id. The answer that all were updated is not offered if outputs must be given.
 */
export function doubtQuestions(tasks: readonly WaitingTask[]): readonly DoubtQuestion[] {
  const kinds = new Map<WaitingTask['doubt'], WaitingTask[]>();
  for (const task of tasks) kinds.set(task.doubt, [...(kinds.get(task.doubt) ?? []), task]);
  return [...kinds].map(([doubt, asked]) => {
    if (asked.length === 1) return { tasks: asked, message: undefined, choices: [] };
    const what = doubt === 'updating' ? 'updated' : doubt === 'deleting' ? 'deleted' : 'created';
    const whys = new Set(asked.map(({ why }) => why));
    const why = whys.size === 1 ? ` ${asked[0]?.why}` : '';
    const names = named(asked.map(({ urn }) => urnName(urn)));
    return {
      tasks: asked,
      message: `Were these ${asked.length} ${what}: ${names}?${why}`,
      choices: choicesFor(what, asked),
    };
  });
}

function choicesFor(
  what: 'created' | 'updated' | 'deleted',
  asked: readonly WaitingTask[],
): readonly Choice<AnswerForAll>[] {
  const told = asked.some(({ outputs }) => outputs?.needed === 'always');
  const all: readonly Choice<AnswerForAll>[] =
    what === 'created'
      ? [{ value: 'not-created', label: 'none created', hint: 'none exists, and each may be created again' }]
      : [
          ...(told ? [] : [{ value: 'done', label: `all ${what}`, hint: 'none is done again' } as const]),
          { value: 'not-done', label: `none ${what}`, hint: 'each may be done again' },
        ];
  return [
    ...all,
    { value: 'each', label: 'each', hint: 'asks about them one by one' },
    { value: 'leave', label: 'leave them', hint: 'they stay in doubt' },
  ];
}

function answerForAll(answer: 'done' | 'not-done' | 'not-created'): DoubtResolution {
  return answer === 'done' ? { done: true } : answer;
}

/** Asks about one step. Returns undefined if the person does not know. */
async function askOne(context: CommandContext, task: WaitingTask): Promise<DoubtResolution | undefined> {
  const { urn, why, doubt } = task;
  if (doubt === 'updating' || doubt === 'deleting') return askWhetherDone(context, task, doubt);
  const answer = await chooseOne(
    context,
    `Was ${urnName(urn)} created? ${why}`,
    [
      { value: 'created', label: 'created', hint: 'it exists; its id is asked for next' },
      { value: 'not-created', label: 'not created', hint: 'it does not exist, and may be created again' },
      { value: 'leave', label: 'leave it', hint: 'it stays in doubt' },
    ] as const,
    'leave',
  );
  if (answer === 'not-created') return answer;
  if (answer !== 'created') return undefined;
  const id = await askText(context, `Id of ${urnName(urn)}`);
  if (id === undefined || id.trim() === '') return undefined;
  const told = await askOutputs(context, task);
  return told === undefined ? undefined : { created: id.trim(), ...told };
}

/**
 * Asks for a file with the outputs of an object that its provider cannot read. Returns undefined if they are needed and
 * the person gives none.
 */
async function askOutputs(
  context: CommandContext,
  { urn, outputs }: WaitingTask,
): Promise<{ readonly outputs?: PropertyMap } | undefined> {
  if (outputs === undefined) return {};
  const isNeeded = outputs.needed === 'always';
  const when = isNeeded ? '' : ', empty where its provider can read them';
  const question = `File with the outputs of ${urnName(urn)}, as JSON: ${exampleOutputs(outputs.names)}${when}`;
  const file = await askText(context, question);
  if (file === undefined || file.trim() === '') return isNeeded ? undefined : {};
  return { outputs: await readOutputsFile(file.trim(), context.cwd) };
}

async function askWhetherDone(
  context: CommandContext,
  task: WaitingTask,
  doubt: 'updating' | 'deleting',
): Promise<DoubtResolution | undefined> {
  const { urn, why } = task;
  const what = doubt === 'updating' ? 'updated' : 'deleted';
  const answer = await chooseOne(
    context,
    `Was ${urnName(urn)} ${what}? ${why}`,
    [
      { value: 'done', label: what, hint: 'it is not done again' },
      { value: 'not-done', label: `not ${what}`, hint: 'it may be done again' },
      { value: 'leave', label: 'leave it', hint: 'it stays in doubt' },
    ] as const,
    'leave',
  );
  if (answer === 'not-done') return answer;
  if (answer !== 'done') return undefined;
  const told = await askOutputs(context, task);
  return told === undefined ? undefined : { done: true, ...told };
}
