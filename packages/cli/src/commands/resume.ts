import { absentFlags } from '../session/absent-flags.js';
import { resumeChange } from '../session/operate.js';
import type { Command } from './command-spec.js';

export const run: Command = ({ args, flags }, world) => resumeChange(world, absentFlags(flags), args[0]);
