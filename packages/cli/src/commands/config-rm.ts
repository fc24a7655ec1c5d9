import { removeConfigKeys } from '../session/remove-config.js';
import type { Command } from './command-spec.js';

export const run: Command = async ({ args, flags }, world) => removeConfigKeys(world, flags, [args[0] ?? '']);
