import { operate } from '../session/operate.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = ({ flags }, world) =>
  operate(world, { kind: 'destroy', previewOnly: false, flags });
