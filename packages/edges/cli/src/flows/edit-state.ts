import { EXIT } from '@cairn/diagnostics';
import type { EditReview, OpenStack, Review } from '@cairn/operations/stacks';
import type { EditedEntry, StateEdit } from '@cairn/state';
import type { StackFlags } from '../flags/operation.js';
import { isAlias } from '../terminal/called-as.js';
import { confirm } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import { isConfirmed, refuseUnconfirmed } from './confirm.js';
import { withStackForFlags } from './open-stack.js';
import { writeDiagnostics } from '../terminal/tell.js';

/** Texts and questions of a command that edits a stored state. */
export interface EditWords<E extends StateEdit = StateEdit> {
  /** Question after the preview. Undefined for a small edit that is easily undone and needs no confirmation. */
  readonly question?: string;
  /** Returns the message about an entry once it is stored. */
  readonly done: (entry: EditedEntry) => string;
  /** Message if nothing has to be done. */
  readonly nothing?: string;
  /** Returns the message on stdout about everything that was stored, for scripts written for the other tool. */
  readonly total?: (count: number) => string;
  /** True if the preview is shown even without a terminal. The error then names the flag that agrees to the edit. */
  readonly alwaysShown?: boolean;
  /** Returns further lines before the question. */
  readonly explain?: (edit: E) => readonly string[];
}

/**
 * Runs an edit of a stored state. It shows the changes and the changes they supersede, asks if the command has a
 * question, and reports the stored entries. Resolves with the exit code.
 */
export function editing<E extends StateEdit>(
  context: CommandContext,
  flags: StackFlags,
  words: EditWords<E>,
  edit: (stack: OpenStack, review: Review<E> | undefined) => Promise<readonly EditedEntry[]>,
): Promise<number> {
  const { question, explain, alwaysShown = false } = words;
  if (question !== undefined && !alwaysShown) refuseUnconfirmed(context, flags, 'this changes the state');
  return withStackForFlags(context, flags, async (stack) => {
    const review =
      question === undefined
        ? undefined
        : (found: EditReview<E>): Promise<boolean> => {
            const lines = [...(explain?.(found.edit) ?? []), ...editLines(found.edit.changed)];
            return agreed(context, flags, lines, found, question);
          };
    const stored = await edit(stack, review);
    for (const entry of stored) context.stderr.write(`${words.done(entry)}\n`);
    if (words.total !== undefined && isAlias(context))
      context.stdout.write(`${words.total(stored.length)}\n`);
    if (stored.length === 0) context.stderr.write(`${words.nothing ?? 'Nothing had to be changed'}\n`);
    return EXIT.ok;
  });
}

/**
 * Shows the changes and asks, unless the question is already answered. Throws CAIRN-NEEDS-CONFIRMATION without a
 * terminal.
 */
export async function agreed(
  context: CommandContext,
  flags: StackFlags,
  lines: readonly string[],
  { notes }: Pick<EditReview, 'notes'>,
  question: string,
): Promise<boolean> {
  for (const line of lines) context.stderr.write(`${line}\n`);
  writeDiagnostics(context, notes);
  if (isConfirmed(context, flags)) return true;
  refuseUnconfirmed(context, flags, 'this changes the state');
  return confirm(context, question);
}

/** Returns the preview of an edit, one line for each entry. */
export function editLines(changed: readonly EditedEntry[]): readonly string[] {
  return changed.map(({ what, urn, to, why }) => {
    const target = to === undefined ? '' : `\n      to ${to}`;
    return `  ${what}${urn === '' ? '' : ` ${urn}`}${target}${why === undefined ? '' : `\n      ${why}`}`;
  });
}
