import { markEntries } from '@cairn/state';
import { chosenUrns, editStack } from '../session/edit-state.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const urns = chosenUrns(args, flags);
  return editStack(world, flags, {
    message: 'state taint',
    rule: (deployment) => markEntries(deployment, { mark: 'taint', urns, on: true }),
    done: ({ urn }) => `${urn} is replaced by the next update`,
  });
};
