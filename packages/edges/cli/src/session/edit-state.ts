import { EXIT } from '@cairn/diagnostics';
import type { EditReview, OpenStack, Review } from '@cairn/operations/stacks';
import type { EditedEntry, StateEdit } from '@cairn/state';
import type { Flags } from '../command-spec.js';
import { isAlias } from '../terminal/called-as.js';
import { confirm } from '../terminal/prompt.js';
import type { World } from '../world.js';
import { isConfirmed, refuseUnconfirmed } from './confirm.js';
import { withStack } from './open-stack.js';
import { tell } from '../terminal/tell.js';

/** What a command that edits a stored state says and asks. */
export interface EditWords<E extends StateEdit = StateEdit> {
  /** Asked after the preview; undefined: the edit is small and easily undone, and is not asked for. */
  readonly question?: string;
  /** Said of every entry once it is stored. */
  readonly done: (entry: EditedEntry) => string;
  /** Said when nothing has to be done. */
  readonly nothing?: string;
  /** Said on stdout of everything that was stored, for scripts that know the other tool. */
  readonly total?: (count: number) => string;
  /** Shown also where nobody can be asked, who then hears which flag agrees to it. */
  readonly alwaysShown?: boolean;
  /** What else is shown before the question. */
  readonly explain?: (edit: E) => readonly string[];
}

/**
 * Runs an edit of a stored state: shows what it would change and what it supersedes, asks when the command asks, and
 * says what was stored. Resolves with the exit code.
 */
export function editing<E extends StateEdit>(
  world: World,
  flags: Flags,
  words: EditWords<E>,
  edit: (stack: OpenStack, review: Review<E> | undefined) => Promise<readonly EditedEntry[]>,
): Promise<number> {
  const { question, explain, alwaysShown = false } = words;
  if (question !== undefined && !alwaysShown) refuseUnconfirmed(world, flags, 'this changes the state');
  return withStack(world, flags, async (stack) => {
    const review =
      question === undefined
        ? undefined
        : (found: EditReview<E>): Promise<boolean> => {
            const lines = [...(explain?.(found.edit) ?? []), ...editLines(found.edit.changed)];
            return agreed(world, flags, lines, found, question);
          };
    const stored = await edit(stack, review);
    for (const entry of stored) world.stderr.write(`${words.done(entry)}\n`);
    if (words.total !== undefined && isAlias(world)) world.stdout.write(`${words.total(stored.length)}\n`);
    if (stored.length === 0) world.stderr.write(`${words.nothing ?? 'Nothing had to be changed'}\n`);
    return EXIT.ok;
  });
}

/**
 * Shows what would be done, and asks unless it is answered already. Throws CAIRN-NEEDS-CONFIRMATION where nobody can be
 * asked.
 */
export async function agreed(
  world: World,
  flags: Flags,
  lines: readonly string[],
  { notes }: Pick<EditReview, 'notes'>,
  question: string,
): Promise<boolean> {
  for (const line of lines) world.stderr.write(`${line}\n`);
  tell(world, notes);
  if (isConfirmed(world, flags)) return true;
  refuseUnconfirmed(world, flags, 'this changes the state');
  return confirm(world, question);
}

/** The preview of an edit: a line an entry. */
export function editLines(changed: readonly EditedEntry[]): readonly string[] {
  return changed.map(({ what, urn, to, why }) => {
    const target = to === undefined ? '' : `\n      to ${to}`;
    return `  ${what}${urn === '' ? '' : ` ${urn}`}${target}${why === undefined ? '' : `\n      ${why}`}`;
  });
}
