import type { TemplateAnswers } from '@cairn/operations/templates';
import type { Switches } from '../flags/flag-spec.js';
import { askSecret, askText, chooseOne, readLine } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';

type RuntimeOption = Parameters<NonNullable<TemplateAnswers['runtimeOption']>>[0];

/**
 * Returns the answers of the person at the terminal to a template's questions. With `--yes`, or without a terminal,
 * defaults answer.
 */
export function templateAnswers(context: CommandContext, flags: Switches<'yes'>): TemplateAnswers {
  if (flags.yes) return {};
  if (!context.terminal.interactive) return { runtimeOption: linesOf(context) };
  return {
    async template(templates) {
      const choices = templates.map(({ name, description }) => ({
        value: name,
        label: name,
        hint: description,
      }));
      const chosen = await chooseOne(context, 'Template', choices, choices[0]?.value ?? '');
      return templates.find(({ name }) => name === chosen);
    },
    setting({ key, description, default: usual, secret }) {
      const question = description === '' ? key : `${key} (${description})`;
      return secret ? askSecret(context, question) : askText(context, question, usual);
    },
    runtimeOption: (option) => askOption(context, option),
  };
}

/** Answers from lines of stdin, for tests of other tools that send them as if they were typed. */
function linesOf(context: CommandContext): TemplateAnswers['runtimeOption'] {
  const asked = ['1', 'true'].includes(context.env['PULUMI_TEST_INTERACTIVE'] ?? '');
  return asked ? () => readLine(context) : undefined;
}

async function askOption(
  context: CommandContext,
  { key, description, choices, default: usual }: RuntimeOption,
): Promise<string | undefined> {
  const question = description === '' ? key : description;
  if (choices.length === 0) return askText(context, question, usual && String(usual.value));
  const listed = choices.map(({ value, label }) => ({ value: String(value), label }));
  return chooseOne(context, question, listed, String((usual ?? choices[0])?.value));
}
