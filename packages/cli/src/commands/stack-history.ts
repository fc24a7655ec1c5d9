import { goStruct } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import { EXIT, isCairnError } from '@cairn/diagnostics';
import type { HistoryEntry, HistoryRow } from '@cairn/backends';
import { configText, hasSecure, isSecure, mapSecrets } from '@cairn/workspace';
import type { ConfigTree } from '@cairn/workspace';
import { formatAge } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import type { World } from '../world.js';
import type { Command } from './command-spec.js';
import { openStackFile, withStack } from '../session/open-stack.js';
import { warnOfSecrets } from '../session/tell.js';

export const run: Command = async ({ flags }, world) =>
  withStack(world, flags, async ({ backend, id }) => {
    const entries = await backend.history(id, {
      page: flags.count('page') ?? 1,
      size: flags.count('page-size') ?? 10,
    });
    if (flags.on('json')) {
      const secret = entries.some((entry) =>
        Object.values(entry.config).some((value) => hasSecure(value as ConfigTree)),
      );
      if (flags.on('show-secrets')) warnOfSecrets(world);
      const decrypt = flags.on('show-secrets') && secret ? await decrypter() : undefined;
      printJson(
        world,
        entries.map((entry) => jsonEntry(entry, decrypt)),
      );
    } else {
      for (const entry of entries) printEntry(world, entry, flags.on('full-dates'));
      if (entries.length === 0) world.stdout.write('No operations yet\n');
    }
    return EXIT.ok;

    async function decrypter(): Promise<(ciphertext: string) => string> {
      const { crypter } = await (await openStackFile(world, flags)).secrets();
      return crypter.decrypt;
    }
  });

/** Shape of [EVT-5]: a secret that is not shown has no value. */
function jsonEntry(entry: HistoryEntry, decrypt: ((ciphertext: string) => string) | undefined): JsonObject {
  const time = (seconds: number): string => new Date(seconds * 1000).toISOString();
  return goStruct({
    version: entry.version,
    kind: entry.kind,
    startTime: time(entry.startTime),
    message: entry.message,
    environment: entry.environment,
    config: Object.fromEntries(
      Object.entries(entry.config).map(([key, value]) => [key, jsonConfig(value as ConfigTree, decrypt)]),
    ),
    result: entry.result,
    endTime: time(entry.endTime),
    resourceChanges: entry.resourceChanges ?? {},
    ...(entry.cairn === undefined ? {} : { cairn: goStruct({ ...entry.cairn }) }),
  });
}

/** One value of the configuration of that time; one that cannot be opened any more, in whole or in part, says so. */
export function jsonConfig(
  stored: ConfigTree,
  decrypt: ((ciphertext: string) => string) | undefined,
): JsonObject {
  const secret = hasSecure(stored);
  if (secret && decrypt === undefined) return { secret };
  let text: string;
  try {
    text = configText(decrypt === undefined ? stored : mapSecrets(stored, decrypt));
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return goStruct({ value: 'ERROR_UNABLE_TO_DECRYPT', secret });
  }
  const object = typeof stored === 'object' && !isSecure(stored);
  return goStruct({ value: text, ...(object ? { objectValue: JSON.parse(text) as Json } : {}), secret });
}

/** Kind and result, in our words where the format has none. */
export function headOf({ kind, result, cairn }: Pick<HistoryEntry, 'kind' | 'result' | 'cairn'>): string {
  const named = cairn?.kind === 'rollback' || cairn?.kind === 'resolve' ? cairn.kind : kind;
  return `${named} ${cairn?.result ?? result}`;
}

function printEntry(world: World, entry: HistoryRow, fullDates: boolean): void {
  const started = new Date(entry.startTime * 1000);
  const when = fullDates ? started.toISOString() : formatAge(started, world.now());
  const changes = Object.entries(entry.resourceChanges ?? {}).map(([kind, count]) => `${kind} ${count}`);
  world.stdout.write(
    `${entry.number}: ${headOf(entry)}, ${when}, took ${entry.endTime - entry.startTime}s\n`,
  );
  if (entry.message !== '') world.stdout.write(`    ${entry.message}\n`);
  if (changes.length > 0) world.stdout.write(`    ${changes.join('   ')}\n`);
}
