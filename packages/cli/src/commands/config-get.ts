import { goStruct } from '@cairn/state';
import type { Json } from '@cairn/state';
import { EXIT, cairnError } from '@cairn/diagnostics';
import {
  applyProjectDefaults,
  configText,
  decryptTree,
  getConfig,
  hasSecure,
  isSecure,
} from '@cairn/workspace';
import { configTarget } from '@cairn/operations/stacks';
import { valueStream } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';
import type { Command } from './command-spec.js';
import { openStackFile } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) => {
  const [keyText = ''] = args;
  const stack = await openStackFile(world, flags);
  const target = configTarget(keyText, stack.project, flags.on('path'));
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
    const text = configText(value);
    const row = goStruct({
      value: text,
      ...(object ? { objectValue: JSON.parse(text) as Json } : {}),
      secret,
    });
    printJson(world, row, { escapeHtml: true });
  } else {
    valueStream(world).write(`${configText(value)}\n`);
  }
  return EXIT.ok;
};
