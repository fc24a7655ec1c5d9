import { deleteEntries } from '@cairn/state';
import { chooseCopies, chosenUrns, editStack } from '../session/edit-state.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const urns = chosenUrns(args, flags);
  return editStack(world, flags, {
    message: 'state delete',
    rule: async (deployment) =>
      deleteEntries(deployment, {
        entries: urns === undefined ? undefined : await chooseCopies(world, deployment, urns),
        force: flags.on('force'),
        dependents: flags.on('target-dependents'),
      }),
    explain: () => [
      'These are taken out of the state; the objects themselves stay and are not managed any more:',
    ],
    question: 'Do you want to take these resources out of the state?',
    done: ({ urn }) => `${urn} is not in the state any more`,
  });
};
