import { cairnError } from '@cairn/diagnostics';
import { taintResources } from '../session/edit-state.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const urns = args.filter((urn) => urn !== undefined);
  const all = flags.on('all');
  if (all && urns.length > 0) throw cairnError('CAIRN-USAGE', 'give URNs or --all, not both');
  return taintResources(world, flags, all ? undefined : urns, false);
};
