import { EXIT } from '@cairn/diagnostics';
import type { HistoryEntry } from '@cairn/backends';
import { loadStackFile } from '@cairn/workspace';
import { withStack } from '../session/open-stack.js';
import { openStackFile } from '../session/stack-file.js';
import { formatAge } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import type { World } from '../world.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ flags }, world) =>
  withStack(world, flags, async ({ project, backend, id }) => {
    const entries = await backend.history(id, {
      page: flags.count('page') ?? 1,
      size: flags.count('page-size') ?? 10,
    });
    if (flags.on('json')) {
      const secret = entries.some((entry) => Object.values(entry.config).some(isSecure));
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
      await loadStackFile(project, id.stack);
      const { crypter } = await (await openStackFile(world, flags)).secrets();
      return (ciphertext) => {
        try {
          return crypter.decrypt(ciphertext);
        } catch {
          return 'ERROR_UNABLE_TO_DECRYPT';
        }
      };
    }
  });

interface Secure {
  readonly secure: string;
}

function isSecure(value: unknown): value is Secure {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Secure>).secure === 'string';
}

/** Shape of state.md 8.3: a secret that is not shown has no value. */
function jsonEntry(entry: HistoryEntry, decrypt: ((ciphertext: string) => string) | undefined): object {
  const time = (seconds: number): string => new Date(seconds * 1000).toISOString();
  return {
    version: entry.version,
    kind: entry.kind,
    startTime: time(entry.startTime),
    message: entry.message,
    environment: entry.environment,
    config: Object.fromEntries(
      Object.entries(entry.config).map(([key, value]) => [key, jsonConfig(value, decrypt)]),
    ),
    result: entry.result,
    endTime: time(entry.endTime),
    resourceChanges: entry.resourceChanges ?? {},
  };
}

function jsonConfig(value: unknown, decrypt: ((ciphertext: string) => string) | undefined): object {
  if (isSecure(value))
    return decrypt === undefined ? { secret: true } : { value: decrypt(value.secure), secret: true };
  if (typeof value === 'string') return { value, secret: false };
  const secret = JSON.stringify(value).includes('"secure":');
  return secret && decrypt === undefined
    ? { secret }
    : { value: JSON.stringify(value), objectValue: value, secret };
}

function printEntry(world: World, entry: HistoryEntry, fullDates: boolean): void {
  const started = new Date(entry.startTime * 1000);
  const when = fullDates ? started.toISOString() : formatAge(started, world.now());
  const changes = Object.entries(entry.resourceChanges ?? {}).map(([kind, count]) => `${kind} ${count}`);
  world.stdout.write(`${entry.kind} ${entry.result}, ${when}, took ${entry.endTime - entry.startTime}s\n`);
  if (entry.message !== '') world.stdout.write(`    ${entry.message}\n`);
  if (changes.length > 0) world.stdout.write(`    ${changes.join('   ')}\n`);
}
