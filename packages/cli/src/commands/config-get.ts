import { EXIT, cairnError } from '@cairn/diagnostics';
import {
  applyProjectDefaults,
  configText,
  decryptTree,
  getConfig,
  hasSecure,
  isSecure,
} from '@cairn/workspace';
import { configTarget } from '../session/config-values.js';
import { openStackFile } from '../session/stack-file.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const [keyText = ''] = args;
  const stack = await openStackFile(world, flags);
  const target = configTarget(flags, keyText, stack.project);
  const stored = getConfig(applyProjectDefaults(stack.project, stack.file.settings.config), target);
  if (stored === undefined) {
    throw cairnError(
      'CAIRN-CONFIG-MISSING',
      `configuration key ${keyText} is not set for stack ${stack.stack}`,
      {
        source: { file: stack.file.path },
        hint: `set it with \`cairn config set ${keyText} <value>\``,
      },
    );
  }
  const secret = hasSecure(stored);
  const value = secret ? decryptTree(keyText, stored, (await stack.secrets()).crypter) : stored;
  if (flags.on('json')) {
    const object = typeof stored === 'object' && !isSecure(stored);
    const shown = {
      value: configText(value),
      ...(object ? { objectValue: JSON.parse(configText(value)) as unknown } : {}),
      secret,
    };
    printJson(world, shown, { escapeHtml: true });
  } else {
    world.stdout.write(`${configText(value)}\n`);
  }
  return EXIT.ok;
};
