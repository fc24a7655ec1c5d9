import { EXIT } from '@cairn/diagnostics';
import { removeConfig, saveStackFile } from '@cairn/workspace';
import type { Flags } from '../commands/command-spec.js';
import { stripEscapes } from '../terminal/paint.js';
import type { World } from '../world.js';
import { configTarget } from '@cairn/operations/stacks';
import { openStackFile } from './open-stack.js';

/**
 * Removes keys from the stack's configuration. One that is not there is said, and is no failure: it is as was wanted.
 */
export async function removeConfigKeys(world: World, flags: Flags, keys: readonly string[]): Promise<number> {
  const stack = await openStackFile(world, flags);
  let { config } = stack.file.settings;
  for (const key of keys) {
    const left = removeConfig(config, configTarget(key, stack.project, flags.on('path')));
    if (left === undefined) {
      world.stderr.write(`Configuration key ${stripEscapes(key)} is not set for stack ${stack.stack}\n`);
      continue;
    }
    config = left;
  }
  if (config === stack.file.settings.config) return EXIT.ok;
  await saveStackFile(stack.file, { config });
  return EXIT.ok;
}
