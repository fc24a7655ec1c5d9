import { goStruct } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import { EXIT } from '@cairn/diagnostics';
import {
  applyProjectDefaults,
  configText,
  decryptTree,
  hasSecure,
  isSecure,
  mapSecrets,
  shortConfigKey,
} from '@cairn/workspace';
import type { ConfigTree } from '@cairn/workspace';
import { SECRET_TEXT } from '../display/value-text.js';
import { printJson } from '../terminal/json-output.js';
import type { Command } from './command-spec.js';
import { openStackFile } from '../session/open-stack.js';
import { warnOfSecrets } from '../session/tell.js';

export const run: Command = async ({ flags }, world) => {
  const stack = await openStackFile(world, flags);
  const config = [...applyProjectDefaults(stack.project, stack.file.settings.config)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const reveal = flags.on('show-secrets') && config.some(([, tree]) => hasSecure(tree));
  if (reveal) warnOfSecrets(world);
  const crypter = reveal ? (await stack.secrets()).crypter : undefined;
  const shown = (key: string, tree: ConfigTree): ConfigTree =>
    crypter === undefined ? mapSecrets(tree, () => SECRET_TEXT) : decryptTree(key, tree, crypter);
  if (flags.on('json')) {
    printJson(
      world,
      Object.fromEntries(config.map(([key, tree]) => [key, jsonRow(tree, shown(key, tree), reveal)])),
    );
    return EXIT.ok;
  }
  const rows = config.map(
    ([key, tree]) => [shortConfigKey(key, stack.project.name), configText(shown(key, tree))] as const,
  );
  const width = Math.max(3, ...rows.map(([key]) => key.length));
  for (const [key, value] of [['KEY', 'VALUE'] as const, ...rows])
    world.stdout.write(`${key.padEnd(width)}  ${value}\n`);
  return EXIT.ok;
};

/** A secret that is not shown has no value [EVT-5]. */
function jsonRow(stored: ConfigTree, shown: ConfigTree, reveal: boolean): JsonObject {
  const secret = hasSecure(stored);
  if (secret && !reveal) return { secret };
  const object = typeof stored === 'object' && !isSecure(stored);
  const value = configText(shown);
  return goStruct({ value, ...(object ? { objectValue: JSON.parse(value) as Json } : {}), secret });
}
