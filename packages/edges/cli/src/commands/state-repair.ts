import type { RecordedStep, StateCopy, StrandedChange } from '@cairn/backends';
import { unreachable } from '@cairn/diagnostics';
import { mendState, restoreState, setStrandedAside } from '@cairn/operations/stacks';
import type { Repair } from '@cairn/state';
import { agreed, editing } from '../flows/edit-state.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { stripEscapes } from '../terminal/paint.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { StackFlags } from '../flags/operation.js';

/**
 * `state repair`: restores a state that cannot be read, sets aside unusable journals, and fixes other errors. Without a
 * terminal or `--yes` it shows the first of these repairs that is needed.
 */
export const run: Command = async ({ flags }, context) => {
  const restored = await restore(context, flags);
  const aside = await setAside(context, flags);
  return editing<Repair>(
    context,
    flags,
    {
      explain: ({ faults }) => [
        'The state is not consistent:',
        ...faults.map(({ number, problem }) => `  ${problem} (integrity rule ${number})`),
        'This repairs it:',
      ],
      question: 'Do you want to repair the state?',
      alwaysShown: true,
      done: ({ what, urn }) =>
        urn === '' ? 'renewed the mark of the manifest' : `${MENDED[what] ?? what} ${urn}`,
      nothing:
        restored || aside ? 'The state is consistent' : 'The state is consistent: nothing had to be repaired',
    },
    mendState,
  );
};

const MENDED: Readonly<Record<string, string>> = {
  delete: 'removed a duplicate of',
  rename: 'renamed',
  'put in order': 'put in order',
  'take out references': 'removed references from',
};

/** Restores an unreadable state from a copy. Resolves with true if it did. */
function restore(context: CommandContext, flags: StackFlags): Promise<boolean> {
  return withStackForFlags(context, flags, async (stack) => {
    const kept = await restoreState(stack, ({ damage, copy }) => {
      const lines = [damage.summary, ...copyLines(copy)].map(stripEscapes);
      return agreed(context, flags, lines, { notes: [] }, 'Do you want to restore it?');
    });
    if (kept === undefined) return false;
    context.stderr.write(
      `Restored it as the state of stack ${stack.id.stack}; the damaged one is kept in ${kept}\n`,
    );
    return true;
  });
}

/** Sets aside journals that no process can continue. Resolves with true if it did. */
function setAside(context: CommandContext, flags: StackFlags): Promise<boolean> {
  return withStackForFlags(context, flags, async (stack) => {
    const gone = await setStrandedAside(stack, (stranded) =>
      agreed(
        context,
        flags,
        stranded.flatMap(strandedLines),
        { notes: [] },
        'Do you want to set this aside?',
      ),
    );
    for (const { number } of gone)
      context.stderr.write(
        `Set change ${number} aside; the state of stack ${stack.id.stack} stays as it is\n`,
      );
    return gone.length > 0;
  });
}

/** Describes a copy. */
function copyLines({ key, time, resources, is }: StateCopy): readonly string[] {
  const copy = `The copy ${key} of ${time} can be read: ${resources} resources.`;
  switch (is?.what) {
    case 'last':
      return [copy, `It is the state after change ${is.change}, and there is no newer one.`];
    case 'base':
      return [copy, `Change ${is.change} began with it; the next command adds what that change recorded.`];
    default:
      return [
        copy,
        'It is the newest copy that can be read, but may not be the last state: later changes are not in it. Run `cairn refresh` and `cairn preview` to see what differs.',
      ];
  }
}

/** Describes a stranded change. */
function strandedLines({ number, begun, steps, damage }: StrandedChange): readonly string[] {
  if (damage !== undefined)
    return [`Change ${number} (${begun}) ended early, and its journal is damaged: ${damage}`];
  const lost = steps.some((step) => isLost(step));
  const stale = steps.some((step) => isStale(step));
  return [
    `Change ${number} (${begun}) ended early, and the state has been changed since.`,
    steps.length === 0 ? 'It recorded no step.' : 'It recorded these steps:',
    ...steps.map((step) => `  ${stepText(step)}`),
    ...(lost
      ? [
          'Objects may exist that are not in the state: look for them, then import them with `cairn import` or delete them by hand.',
        ]
      : []),
    ...(stale ? ['Objects in the state may be gone, or have other values: run `cairn refresh` first.'] : []),
  ];
}

function stepText(step: RecordedStep): string {
  const { type, urn, id, outcome, inState } = step;
  const object = id === undefined ? urn : `${urn} (id ${id})`;
  if (outcome === 'in doubt') {
    const there = type === 'deleting' && inState ? '; the state has it' : '';
    return `${type} ${object}: unknown whether it was done${there}`;
  }
  if (outcome === 'failed') return `${type} ${object}: failed`;
  const has = inState ? 'the state has it' : 'the state does not have it';
  switch (type) {
    case 'creating':
    case 'importing':
      return `${type} ${object}: done; ${has}`;
    case 'updating':
      return `${type} ${object}: done; the state may have its old values`;
    case 'deleting':
      return `${type} ${object}: done; ${has}`;
    case 'reading':
      return `${type} ${object}: done`;
    default:
      return unreachable(type);
  }
}

/** Tells whether the step may have left an unknown object. */
function isLost({ type, outcome, inState }: RecordedStep): boolean {
  return (type === 'creating' || type === 'importing') && outcome !== 'failed' && !inState;
}

/** Tells whether the state may describe an object that has changed or is gone. */
function isStale({ type, outcome, inState }: RecordedStep): boolean {
  return outcome !== 'failed' && ((type === 'deleting' && inState) || type === 'updating');
}
