import { cairnError } from '@cairn/diagnostics';
import { optionsFrom } from '@cairn/operations';
import type { RunOptions, OperationOptions, OptionRow, PendingCreates } from '@cairn/operations';
import type { Flags } from '../command-spec.js';
import { answerForm } from '../display/answer-form.js';
import type { CommandContext } from '../command-context.js';
import { isConfirmed } from './confirm.js';
import { isOn } from './stack-choice.js';

/**
 * Returns the options of an operation from the flags of a command. Throws CAIRN-USAGE for a word that an option does
 * not accept.
 */
export function operationOptions(flags: Flags): OperationOptions {
  return optionsFrom((row) => (flags.has(row.name) ? valueOf(flags, row) : undefined));
}

function valueOf(flags: Flags, row: OptionRow): unknown {
  const { name } = row;
  switch (row.holds) {
    case 'text':
      return flags.text(name);
    case 'count':
      return flags.count(name);
    case 'list':
      return flags.list(name);
    case 'switch':
      return flags.on(name);
    case 'choice':
      return choiceOf(name, flags.text(name), row.of);
  }
}

function choiceOf(name: string, text: string | undefined, choices: readonly string[]): string | undefined {
  if (text === undefined || choices.includes(text)) return text;
  throw cairnError('CAIRN-USAGE', `--${name} takes ${choices.join(', ')}, not ${JSON.stringify(text)}`);
}

/**
 * Tells whether the project file's settings for errors apply to a command. They do if the command has a flag that can
 * override them.
 */
export function heedsProject(flags: Flags): boolean {
  return flags.has('on-error');
}

/** Returns the run options from the flags. Previews are shown if the output is text. */
export function runOptionsOf(context: CommandContext, flags: Flags): RunOptions {
  const shows = answerForm(context, flags, 'run') === 'text';
  return {
    preview: shows && !isOn(flags, 'skip-preview'),
    previewRollback: shows,
    confirmed: isConfirmed(context, flags),
    showSecrets: isOn(flags, 'show-secrets'),
    expectNoChanges: isOn(flags, 'expect-no-changes'),
    pendingCreates: pendingCreates(flags),
  };
}

/**
 * Returns the answers in the flags about creates with an unknown outcome. Throws CAIRN-USAGE for a URN without an id.
 */
function pendingCreates(flags: Flags): PendingCreates | undefined {
  const words = flags.has('import-pending-creates') ? flags.list('import-pending-creates') : [];
  const clear = isOn(flags, 'clear-pending-creates');
  if (words.length === 0 && !clear) return undefined;
  if (words.length % 2 !== 0)
    throw cairnError('CAIRN-USAGE', '--import-pending-creates takes a URN, and given again its id', {
      hint: 'For example `--import-pending-creates URN --import-pending-creates ID`.',
    });
  const pairs = words.flatMap((urn, index) =>
    index % 2 === 0 ? [[urn, words[index + 1] ?? ''] as const] : [],
  );
  return { made: new Map(pairs), clear };
}
