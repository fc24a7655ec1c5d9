import { absentFlags } from '../session/absent-flags.js';
import { rollBackChange } from '../session/operate.js';
import type { Command } from './command-spec.js';

export const run: Command = ({ args, flags }, world) => rollBackChange(world, absentFlags(flags), args[0]);
