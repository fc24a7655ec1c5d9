import { markEntries } from '@cairn/state';
import { chosenUrns, editStack } from '../session/edit-state.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const urns = chosenUrns(args, flags);
  return editStack(world, flags, {
    message: 'state protect',
    rule: (deployment) => markEntries(deployment, { mark: 'protect', urns, on: true }),
    question: 'Do you want to protect these resources in the state?',
    done: ({ urn }) => `${urn} is protected`,
  });
};
