import type { HistoryEntry } from '@cairn/backends';
import { EXIT } from '@cairn/diagnostics';
import { stackHistory } from '@cairn/operations/stacks';
import type { HistoryOperation } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import { configJson } from '../display/config-json.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { visible } from '../terminal/controls.js';
import { formatAge } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Counts, Switches } from '../flags/flag-spec.js';

/** `stack history` */
export const run: Command<Switches<'fullDates' | 'json' | 'showSecrets'> & Counts<'page' | 'pageSize'>> = (
  { flags },
  context,
) =>
  withStackForFlags(context, flags, async (stack) => {
    const json = flags.json;
    const operations = await stackHistory(stack, {
      page: flags.page,
      size: flags.pageSize,
      showSecrets: json && flags.showSecrets,
    });
    if (json) printJson(context, operations.map(operationJson));
    else {
      for (const operation of operations) printOperation(context, operation, flags.fullDates);
      const page = flags.page ?? 1;
      if (operations.length === 0)
        context.stdout.write(
          page > 1 ? `No stack updates found on page '${page}'\n` : 'Stack has never been updated\n',
        );
    }
    return EXIT.ok;
  });

/** Returns the shape of [EVT-5]. */
function operationJson(operation: HistoryOperation): JsonObject {
  const time = (seconds: number): string => new Date(seconds * 1000).toISOString();
  return goStruct({
    version: operation.version,
    kind: operation.kind,
    startTime: time(operation.startTime),
    message: operation.message,
    environment: operation.environment,
    config: Object.fromEntries(
      Object.entries(operation.config).map(([key, value]) => [key, configJson(value)]),
    ),
    result: operation.result,
    endTime: time(operation.endTime),
    resourceChanges: operation.resourceChanges ?? {},
    ...(operation.cairn === undefined ? {} : { cairn: goStruct({ ...operation.cairn }) }),
  });
}

/** Returns kind and result, in Cairn's words if the format has none. */
export function headOf({ kind, result, cairn }: Pick<HistoryEntry, 'kind' | 'result' | 'cairn'>): string {
  const named = cairn?.kind === 'rollback' || cairn?.kind === 'resolve' ? cairn.kind : kind;
  return `${named} ${cairn?.result ?? result}`;
}

function printOperation(context: CommandContext, entry: HistoryOperation, fullDates: boolean): void {
  const started = new Date(entry.startTime * 1000);
  const when = fullDates ? started.toISOString() : formatAge(started, context.now());
  const changes = Object.entries(entry.resourceChanges ?? {}).map(([kind, count]) => `${kind} ${count}`);
  context.stdout.write(
    `${entry.number}: ${headOf(entry)}, ${when}, took ${entry.endTime - entry.startTime}s\n`,
  );
  if (entry.message !== '') context.stdout.write(`    ${entry.message}\n`);
  if (changes.length > 0) context.stdout.write(`    ${changes.join('   ')}\n`);
  const origin = originText(entry.environment);
  if (origin !== '') context.stdout.write(`    ${visible(origin)}\n`);
}

/** Describes the commit that an operation was started from, its author, and the build that started it. */
export function originText(environment: HistoryEntry['environment']): string {
  const fact = (key: string): string => environment[key] ?? '';
  const parts = [
    ['commit', fact('git.head').slice(0, 8)],
    ['with', fact('git.dirty') === 'true' ? 'changed files' : ''],
    ['on', fact('git.headName').replace(/^refs\/(?:heads|tags)\//, '')],
    ['by', fact('git.author')],
    ['in', fact('ci.system')],
    ['build', fact('ci.build.number') || fact('ci.build.id')],
  ] as const;
  return parts.flatMap(([word, text]) => (text === '' ? [] : [`${word} ${text}`])).join(' ');
}
