import { repairState } from '@cairn/state';
import type { Repair } from '@cairn/state';
import { editStack } from '../session/edit-state.js';
import { restoreDamaged } from '../session/restore-state.js';
import { setStrandedAside } from '../session/set-aside.js';
import type { World } from '../world.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ flags }, world) => {
  const restored = await restoreDamaged(world, flags);
  const aside = await setStrandedAside(world, flags);
  return editStack<Repair>(world, flags, {
    message: 'state repair',
    integrity: 'skip',
    rule: repairState,
    explain: ({ faults }) => [
      'The state is not consistent:',
      ...faults.map(({ number, problem }) => `  ${problem} (integrity rule ${number})`),
      'This mends it:',
    ],
    question: 'Do you want to repair the state?',
    before: async (view) => tellPlace(world, await view.backup()),
    done: ({ what, urn }) =>
      urn === '' ? 'renewed the mark of the manifest' : `${WORDS[what] ?? what} ${urn}`,
    nothing:
      restored || aside.length > 0
        ? 'The state is consistent'
        : 'The state is consistent: nothing had to be repaired',
  });
};

const WORDS: Readonly<Record<string, string>> = {
  delete: 'took out one of two of',
  rename: 'renamed',
  'put in order': 'put in order',
  'take out references': 'took references out of',
};

function tellPlace(world: World, place: string): void {
  world.stderr.write(`The state as it was is kept in ${place}\n`);
}
