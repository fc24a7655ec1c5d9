import { cairnError } from '@cairn/diagnostics';
import { moveResources } from '../session/move-state.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const urns = args.filter((urn) => urn !== undefined);
  if (urns.length === 0) throw cairnError('CAIRN-USAGE', 'which resources? No URN was given');
  return moveResources(world, flags, urns);
};
