import { EXIT, cairnError } from '@cairn/diagnostics';
import {
  deleteFromState,
  editStateText,
  markInState,
  moveInState,
  nameBeside,
  referredStack,
  renameInState,
  requiredStack,
  stackOn,
} from '@cairn/operations/stacks';
import type { EntryMark } from '@cairn/state';
import { refuseUnconfirmed } from '../flows/confirm.js';
import { agreed, editLines, editing } from '../flows/edit-state.js';
import type { EditWords } from '../flows/edit-state.js';
import { editText } from '../flows/edit-text.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { stackChoice } from '../flows/stack-choice.js';
import { chooseOne } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { GlobalFlags } from '../flags/global.js';
import type { Switches, Texts } from '../flags/flag-spec.js';

/** `state delete` */
export const remove: Command<Switches<'all' | 'force' | 'targetDependents'>> = ({ args, flags }, context) => {
  const options = {
    urns: chosenUrns(args, flags),
    force: flags.force,
    dependents: flags.targetDependents,
    chooseCopy: context.terminal.interactive ? copyChooser(context) : undefined,
  };
  return editing(
    context,
    flags,
    {
      explain: () => ['These are removed from the state; their objects stay and are no longer managed:'],
      question: 'Do you want to remove these resources from the state?',
      done: ({ urn }) => `${urn} is no longer in the state`,
    },
    (stack, review) => deleteFromState(stack, options, review),
  );
};

/** Asks which of several entries with the same URN is meant. */
function copyChooser(context: CommandContext) {
  return async (urn: string, copies: readonly string[]): Promise<number | undefined> => {
    const choices = copies.map((label, index) => ({ value: String(index), label }));
    const answer = await chooseOne(context, `Several entries have the URN ${urn}. Which one?`, choices, '0');
    return answer === undefined ? undefined : Number(answer);
  };
}

const MARKED: Readonly<Record<EntryMark, string>> = { protect: 'protected', taint: 'tainted' };

export const protect = marking('protect', true, {
  question: 'Do you want to protect these resources in the state?',
  done: ({ urn }) => `${urn} is protected`,
});

export const unprotect = marking('protect', false, {
  question: 'Do you want to unprotect these resources in the state?',
  done: ({ urn }) => `${urn} is no longer protected`,
});

export const taint = marking('taint', true, {
  done: ({ urn }) => `${urn} is replaced by the next update`,
});

export const untaint = marking('taint', false, {
  done: ({ urn }) => `${urn} is no longer tainted`,
});

function marking(
  mark: EntryMark,
  on: boolean,
  words: EditWords,
): Command<GlobalFlags & Partial<Switches<'all'>>> {
  const marked = `${on ? '' : 'un'}${MARKED[mark]}`;
  return ({ args, flags }, context) => {
    const urns = chosenUrns(args, flags);
    const total = (count: number): string =>
      urns === undefined ? `All resources ${marked}` : `${count} resources ${marked}`;
    return editing(context, flags, { ...words, total }, (stack, review) =>
      markInState(stack, { mark, urns, on }, review),
    );
  };
}

export const rename: Command = ({ args: [urn = '', name = ''], flags }, context) =>
  editing(
    context,
    flags,
    {
      question: 'Do you want to rename this resource in the state?',
      done: ({ to = '' }) => `The resource is now ${to}`,
    },
    (stack, review) => renameInState(stack, { urn, name }, review),
  );

/** `state edit` */
export const edit: Command = ({ flags }, context) =>
  editing(
    context,
    flags,
    {
      question: 'Do you want to store the edited state?',
      done: ({ what, urn }) => `${EDITED[what] ?? what} ${urn}`,
      nothing: 'Nothing was changed',
    },
    (stack, review) =>
      editStateText(
        stack,
        (text, take) => editText(context, { name: 'state.json', text, take }),
        { skipIntegrity: flags.disableIntegrityChecking },
        review,
      ),
  );

const EDITED: Readonly<Record<string, string>> = {
  add: 'added',
  alter: 'altered',
  delete: 'removed',
  'alter the rest': 'altered',
};

/** `state move`: one of the two stacks may be the selected one. */
export const move: Command<Texts<'dest' | 'source'> & Switches<'includeParents'>> = async (
  { args, flags },
  context,
) => {
  const urns = args.filter((urn) => urn !== undefined);
  if (urns.length === 0) throw cairnError('CAIRN-USAGE', 'no URN was given');
  const [from, to] = [flags.source, flags.dest];
  if (from === undefined && to === undefined) {
    throw cairnError('CAIRN-USAGE', 'neither --source nor --dest was given', {
      hint: 'Pass one of them; the other one defaults to the selected stack.',
    });
  }
  refuseUnconfirmed(context, flags, 'this changes the states of two stacks');
  return withStackForFlags(
    context,
    flags,
    async (stack) => {
      const { ports, project, id: source } = stack;
      const other =
        to === undefined
          ? await requiredStack(ports, stackChoice(flags), project)
          : referredStack(context, to, project.name);
      const dest = stackOn(stack.backend, other);
      const [here, there] = [nameBeside(source, dest), nameBeside(dest, source)];
      const options = { dest, urns, includeParents: flags.includeParents };
      const count = await moveInState(stack, options, (found) => {
        const changed = [...found.edit.source.changed, ...found.edit.dest.changed];
        const lines = [`From stack ${here} to stack ${there}:`, ...editLines(changed)];
        return agreed(context, flags, lines, found, 'Do you want to move these resources?');
      });
      context.stderr.write(`Moved ${count} resources to stack ${there}\n`);
      return EXIT.ok;
    },
    from,
  );
};

/**
 * Returns the URNs that a person gave, or undefined for all. Throws CAIRN-USAGE for none, and for some together with
 * `--all`.
 */
function chosenUrns(
  args: readonly (string | undefined)[],
  flags: Partial<Switches<'all'>>,
): readonly string[] | undefined {
  const urns = args.filter((urn) => urn !== undefined);
  const all = flags.all;
  if (all && urns.length > 0) throw cairnError('CAIRN-USAGE', 'give URNs or --all, not both');
  if (all) return undefined;
  if (urns.length > 0) return urns;
  throw cairnError('CAIRN-USAGE', 'no URN was given', {
    ...('all' in flags ? { hint: 'Give URNs, or --all.' } : {}),
  });
}
