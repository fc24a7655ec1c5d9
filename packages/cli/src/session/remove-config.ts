import { EXIT, cairnError } from '@cairn/diagnostics';
import { removeConfig, saveStackFile } from '@cairn/workspace';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { configTarget } from './config-values.js';
import { openStackFile } from './stack-file.js';

/** Removes keys from the stack's configuration, all or, when one of them is not there, none (CAIRN-CONFIG-MISSING). */
export async function removeConfigKeys(world: World, flags: Flags, keys: readonly string[]): Promise<number> {
  const stack = await openStackFile(world, flags);
  let { config } = stack.file.settings;
  for (const key of keys) {
    const left = removeConfig(config, configTarget(flags, key, stack.project));
    if (left === undefined) {
      throw cairnError(
        'CAIRN-CONFIG-MISSING',
        `configuration key ${key} is not set for stack ${stack.stack}`,
        { source: { file: stack.file.path }, hint: 'list the keys with `cairn config`' },
      );
    }
    config = left;
  }
  await saveStackFile(stack.file, { config });
  return EXIT.ok;
}
