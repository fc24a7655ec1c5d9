import { EXIT, cairnError } from '@cairn/diagnostics';
import { parseConfigKey, parseConfigPath, removeConfig, saveStackFile } from '@cairn/workspace';
import { openStackFile } from '../session/stack-file.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const [keyText = ''] = args;
  const stack = await openStackFile(world, flags);
  const target = flags.on('path')
    ? parseConfigPath(keyText, stack.project.name)
    : { key: parseConfigKey(keyText, stack.project.name), path: [] };
  const config = removeConfig(stack.file.settings.config, target);
  if (config === undefined) {
    throw cairnError(
      'CAIRN-CONFIG-MISSING',
      `configuration key ${keyText} is not set for stack ${stack.stack}`,
      {
        source: { file: stack.file.path },
        hint: 'list the keys with `cairn config`',
      },
    );
  }
  await saveStackFile(stack.file, { config });
  return EXIT.ok;
};
