import { absentFlags } from '../session/absent-flags.js';
import { resumeChange } from '../session/operate.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = ({ args, flags }, world) =>
  resumeChange(world, absentFlags(flags), args[0]);
