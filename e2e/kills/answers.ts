import type { Pending } from './stack.js';
import type { World } from './world.js';

/** A line that a command prints for a step in doubt: the step, and the answer that the line gives. */
export interface AnswerLine {
  /** The line as printed, with the comment behind it. */
  readonly line: string;
  /** Name of the step in doubt in the line. */
  readonly key: string;
  /** The answer: `created`, `not-created`, `done`, … */
  readonly answer: string;
}

/** The lines of `cairn change resolve …` in an output, each once. */
export function answerLines(output: string): readonly AnswerLine[] {
  const found = new Map<string, AnswerLine>();
  for (const printed of output.split('\n')) {
    const line = /^\s*(cairn change resolve .*)$/.exec(printed)?.[1];
    if (line === undefined) continue;
    const [, key = '', answer = ''] = /resolve ('[^']*'|\S+) .*?--([a-z-]+)/.exec(line) ?? [];
    found.set(line, { line, key, answer });
  }
  return [...found.values()];
}

/** The file of the project in which the outputs of an object are, where a line asks for them. */
export const OUTPUTS = 'outputs.json';

/**
 * Returns the true answer. `pending`: the step, as the state has it; `world`: the objects that exist. An id and a file
 * replace their placeholders.
 */
export function truthful(lines: readonly AnswerLine[], pending: Pending, world: World): string | undefined {
  const is = world.get(pending.object);
  const wasDone =
    pending.type === 'creating'
      ? is !== undefined
      : pending.type === 'deleting'
        ? is === undefined
        : is === pending.value;
  const chosen = lines.find(({ answer }) => wasDone !== answer.startsWith('not-'));
  return chosen?.line
    .replace(/--created ID\b/, `--created ${pending.object}`)
    .replace(/--outputs FILE\b/, `--outputs ${outputsFile(pending)}`);
}

/**
 * Outputs of objects that their providers cannot read: for commands what they wrote, which is nothing; the outputs of
 * others are their inputs.
 */
export const OUTPUTS_FILES = {
  'outputs/command.json': '{ "stdout": "", "stderr": "" }',
  'outputs/other.json': '{}',
};

function outputsFile({ urn }: Pending): keyof typeof OUTPUTS_FILES {
  return urn.includes(':Command::') ? 'outputs/command.json' : 'outputs/other.json';
}
