import { EXIT } from '@cairn/diagnostics';
import { cairnVersion } from '../session/version.js';
import type { Command } from './command-spec.js';

export const run: Command = async (_invocation, world) => {
  world.stdout.write(`v${cairnVersion()}\n`);
  return EXIT.ok;
};
