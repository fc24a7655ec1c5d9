import { operate } from '../session/operate.js';
import { removeAfterwards } from '../session/remove-afterwards.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = ({ flags }, world) =>
  operate(world, {
    kind: 'destroy',
    previewOnly: false,
    flags,
    afterwards: (prepared) => removeAfterwards(world, prepared, flags),
  });
