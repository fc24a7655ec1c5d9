import { markEntries } from '@cairn/state';
import { chosenUrns, editStack } from '../session/edit-state.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const urns = chosenUrns(args, flags);
  return editStack(world, flags, {
    message: 'state untaint',
    rule: (deployment) => markEntries(deployment, { mark: 'taint', urns, on: false }),
    done: ({ urn }) => `${urn} is not tainted any more`,
  });
};
