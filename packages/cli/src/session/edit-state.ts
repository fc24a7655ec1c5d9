import { EXIT, cairnError } from '@cairn/diagnostics';
import type { EditView } from '@cairn/backends';
import { copiesOf, describeCopy } from '@cairn/state';
import type { EditedEntry, EntryName, SerializedDeployment, StateEdit } from '@cairn/state';
import type { Flags } from '../commands/command-spec.js';
import { chooseOne, confirm } from '../terminal/prompt.js';
import type { World } from '../world.js';
import { isConfirmed, refuseUnconfirmed } from './confirm.js';
import { rememberInterrupts } from './interrupts.js';
import { tell } from './tell.js';
import { withStack } from './open-stack.js';

/** One edit of a stored state as a command describes it. */
export interface EditCommand<E extends StateEdit = StateEdit> {
  /** What was done, for `cairn changes`. */
  readonly message: string;
  /** Pure, or asks which entry is meant. What it throws changes nothing. */
  readonly rule: (deployment: SerializedDeployment) => E | Promise<E>;
  /** Asked after the preview; undefined: the edit is small and easily taken back, and is not asked for. */
  readonly question?: string;
  /** Said of every entry once it is stored. */
  readonly done: (entry: EditedEntry) => string;
  /** Said when nothing has to be done. */
  readonly nothing?: string;
  /** `skip`: the state may be damaged. */
  readonly integrity?: 'skip';
  /** What else is shown before the question. */
  readonly explain?: (edit: E) => readonly string[];
  /** Last thing before the state is stored. */
  readonly before?: (view: EditView) => Promise<void>;
}

/**
 * Carries an edit out under the stack's lock: shows what it would change and what it supersedes, asks when the command
 * asks, and stores it as a change of its own. Resolves with the exit code; throws CAIRN-CANCELLED when the answer is
 * no.
 */
export function editStack<E extends StateEdit>(
  world: World,
  flags: Flags,
  command: EditCommand<E>,
): Promise<number> {
  if (command.question !== undefined) refuseUnconfirmed(world, flags, 'this changes the state');
  return withStack(world, flags, async ({ backend, id }) => {
    let stored: readonly EditedEntry[] = [];
    const change = async (
      deployment: SerializedDeployment,
      view: EditView,
    ): Promise<SerializedDeployment | undefined> => {
      const edit = await command.rule(deployment);
      if (edit.changed.length === 0) return undefined;
      await review(world, flags, command, edit, view);
      await command.before?.(view);
      stored = edit.changed;
      return edit.deployment;
    };
    const options = command.integrity === undefined ? {} : { integrity: command.integrity };
    const interrupts = rememberInterrupts(world);
    try {
      tell(world, await backend.edit(id, change, command.message, options));
    } finally {
      interrupts.stop();
    }
    for (const entry of stored) world.stderr.write(`${command.done(entry)}\n`);
    if (stored.length === 0) world.stderr.write(`${command.nothing ?? 'Nothing had to be changed'}\n`);
    return EXIT.ok;
  });
}

/** Shows what an edit is, and asks. */
async function review<E extends StateEdit>(
  world: World,
  flags: Flags,
  command: EditCommand<E>,
  edit: E,
  view: EditView,
): Promise<void> {
  const superseded = view.supersedes(edit.deployment);
  if (command.question !== undefined)
    for (const line of [...(command.explain?.(edit) ?? []), ...editLines(edit.changed)])
      world.stderr.write(`${line}\n`);
  tell(world, [...edit.notes, ...(superseded === undefined ? [] : [superseded])]);
  if (command.question === undefined) return;
  await agree(world, flags, command.question);
}

/** Asks, unless it is answered already. Throws CAIRN-CANCELLED when the answer is no. */
export async function agree(world: World, flags: Flags, question: string): Promise<void> {
  if (isConfirmed(world, flags) || (await confirm(world, question))) return;
  throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
}

/** The preview of an edit: a line an entry. */
export function editLines(changed: readonly EditedEntry[]): readonly string[] {
  return changed.map(({ what, urn, to, why }) => {
    const target = to === undefined ? '' : `\n      to ${to}`;
    return `  ${what}${urn === '' ? '' : ` ${urn}`}${target}${why === undefined ? '' : `\n      ${why}`}`;
  });
}

/** URNs as a person gave them. Throws CAIRN-USAGE for none, and for both some and `--all`. Undefined: all. */
export function chosenUrns(
  args: readonly (string | undefined)[],
  flags: Flags,
): readonly string[] | undefined {
  const urns = args.filter((urn) => urn !== undefined);
  const all = flags.has('all') && flags.on('all');
  if (all && urns.length > 0) throw cairnError('CAIRN-USAGE', 'give URNs or --all, not both');
  if (all) return undefined;
  if (urns.length > 0) return urns;
  throw cairnError('CAIRN-USAGE', 'which resources? No URN was given', {
    ...(flags.has('all') ? { hint: 'Give URNs, or --all.' } : {}),
  });
}

/**
 * Asks which is meant of several entries with the same URN, on a terminal; elsewhere the rule says that it is not
 * clear.
 */
export async function chooseCopies(
  world: World,
  deployment: SerializedDeployment,
  urns: readonly string[],
): Promise<readonly EntryName[]> {
  const names: EntryName[] = [];
  for (const urn of urns) {
    const copies = copiesOf(deployment, urn);
    if (copies.length < 2 || !world.terminal.interactive) {
      names.push({ urn });
      continue;
    }
    const choices = copies.map((position, index) => ({
      value: String(index),
      label: describeCopy(deployment.resources[position] as SerializedDeployment['resources'][number]),
    }));
    const answer = await chooseOne(world, `Several entries are ${urn}. Which one?`, choices, '0');
    if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
    names.push({ urn, copy: Number(answer) });
  }
  return names;
}
