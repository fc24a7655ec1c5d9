import { removeConfigKeys } from '../session/remove-config.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) =>
  removeConfigKeys(world, flags, [args[0] ?? '']);
