import { taintResources } from '../session/edit-state.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) =>
  taintResources(
    world,
    flags,
    args.filter((urn) => urn !== undefined),
    true,
  );
