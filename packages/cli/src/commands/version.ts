import { EXIT } from '@cairn/diagnostics';
import { cairnVersion } from '../session/version.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async (_invocation, world) => {
  world.stdout.write(`v${cairnVersion()}\n`);
  return EXIT.ok;
};
