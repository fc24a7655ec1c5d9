import { cairnError } from '@cairn/diagnostics';
import { optionsFrom } from '@cairn/operations';
import type { RunOptions, OperationOptions, PendingCreates } from '@cairn/operations';
import { propertyOf } from '../flags/flag-spec.js';
import type { OperationFlags, StackFlags } from '../flags/operation.js';
import { answerForm } from '../display/answer-form.js';
import type { CommandContext } from '../command-context.js';
import { isConfirmed } from './confirm.js';

/** Returns the options of an operation from the flags of a command. */
export function optionsFromFlags(flags: OperationFlags): OperationOptions {
  const values: Readonly<Record<string, unknown>> = flags;
  return optionsFrom(({ name }) => values[propertyOf(name)]);
}

/**
 * Tells whether the project file's settings for errors apply to a command. They do if the command has a flag that can
 * override them.
 */
export function heedsProject(flags: StackFlags): boolean {
  return 'onError' in flags;
}

/** Returns the run options from the flags. Previews are shown if the output is text. */
export function runOptionsOf(context: CommandContext, flags: StackFlags): RunOptions {
  const shows = answerForm(context, flags, 'run') === 'text';
  const { base } = flags;
  return {
    preview: shows && !flags.skipPreview,
    previewRollback: shows,
    confirmed: isConfirmed(context, flags),
    showSecrets: flags.showSecrets === true,
    expectNoChanges: flags.expectNoChanges === true,
    pendingCreates: pendingCreates(flags),
    onState:
      base === undefined
        ? undefined
        : async (state) => (await import('./saved-plans.js')).compareBase(context, base, state),
  };
}

/**
 * Returns the answers in the flags about creates with an unknown outcome. Throws CAIRN-USAGE for a URN without an id.
 */
function pendingCreates(flags: StackFlags): PendingCreates | undefined {
  const { importPendingCreates: words = [], clearPendingCreates: clear = false } = flags;
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
