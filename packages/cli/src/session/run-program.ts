import { isTruthy } from '../terminal/manners.js';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';

/**
 * Whether the flag or the environment [CFG-14] asks for the program to be run for a refresh or a destroy too, and for
 * the refresh of an up to take place when resources are registered.
 */
export function runsProgram({ env }: Pick<World, 'env'>, flags: Flags): boolean {
  return flags.on('run-program') || isTruthy(env['CAIRN_RUN_PROGRAM'] ?? env['PULUMI_RUN_PROGRAM']);
}
