import { renameEntry } from '@cairn/state';
import { editStack } from '../session/edit-state.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args: [urn = '', name = ''], flags }, world) =>
  editStack(world, flags, {
    message: `state rename to ${name}`,
    rule: (deployment) => renameEntry(deployment, { urn, name }),
    question: 'Do you want to rename this resource in the state?',
    done: ({ to = '' }) => `The resource is ${to} now`,
  });
