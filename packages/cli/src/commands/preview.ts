import { operate } from '../session/operate.js';
import type { Command } from './command-spec.js';

export const run: Command = ({ flags }, world) => operate(world, { kind: 'up', previewOnly: true, flags });
