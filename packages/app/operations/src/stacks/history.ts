import type { HistoryRow } from '@cairn/backends';
import { secureTexts } from '@cairn/workspace';
import type { ConfigByKey, ConfigTree } from '@cairn/workspace';
import type { OpenStack } from '../access/open-stack.js';
import { openStackFile } from '../access/stack-file.js';
import type { OpenStackFile } from '../access/stack-file.js';
import { recordedValue } from '../config/read-config.js';
import type { OpenedConfigValue } from '../config/read-config.js';

/** Selection of a history's operations. `page` counts from 1. */
interface HistoryPageOptions {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  /** Opens the secrets in the configurations of operations. */
  readonly showSecrets?: boolean | undefined;
}

/** An operation in the history of a stack, with its configuration. */
export interface HistoryOperation extends Omit<HistoryRow, 'config'> {
  readonly config: Readonly<Record<string, OpenedConfigValue>>;
}

/** Returns a function that opens the secrets of configurations. */
async function decrypting(
  { secrets }: OpenStackFile,
  configs: readonly ConfigByKey[],
): Promise<(ciphertext: string) => string> {
  const { crypter } = await secrets(configs.flatMap((config) => [...secureTexts(config)]));
  return (ciphertext) => crypter.decrypt(ciphertext);
}

/** Returns operations on the stack, newest first. */
export async function stackHistory(
  { ports, choice, backend, id }: OpenStack,
  { page = 1, size = 10, showSecrets = false }: HistoryPageOptions = {},
): Promise<readonly HistoryOperation[]> {
  const rows = (await backend.history(id, { page, size })).map(({ config, ...row }) => {
    return { row, config: Object.entries(config) as [string, ConfigTree][] };
  });
  if (showSecrets) ports.interaction.notice({ t: 'secrets-shown' });
  const sealed = rows.some(({ config }) => config.some(([, tree]) => recordedValue(tree, undefined).secret));
  const decrypt =
    showSecrets && sealed
      ? await decrypting(
          await openStackFile(ports, choice),
          rows.map(({ config }) => new Map(config)),
        )
      : undefined;
  return rows.map(({ row, config }) => ({
    ...row,
    config: Object.fromEntries(config.map(([key, tree]) => [key, recordedValue(tree, decrypt)])),
  }));
}
