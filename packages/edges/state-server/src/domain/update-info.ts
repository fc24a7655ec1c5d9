import { historyDetail } from '@cairn/backends';
import type { HistoryEntry, HistoryRow } from '@cairn/backends';
import { USER_OF_UPDATE } from '@cairn/http-api';
import type { ConfigValueMessage, ImportVersionRequest, UpdateInfo, WireStatus } from '@cairn/http-api';
import type { InferOutput } from 'valibot';
import type { UpdateEnding, UpdateRecord } from './update-record.js';
import type { UpdateStatus } from './update-machine.js';

/** Status on the wire by status. */
export const WIRE_STATUS = {
  created: 'not started',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'failed',
} as const satisfies Record<UpdateStatus, WireStatus>;

/** Returns the history entry of an update that ends, with who asked for it and what its client has said at its end. */
export function historyEntryOf(record: UpdateRecord, ending: UpdateEnding): HistoryEntry {
  const { change } = record;
  const { change: ended } = ending;
  const detail =
    change?.number === undefined
      ? undefined
      : historyDetail(change.number, change.operation, ended?.result ?? 'interrupted');
  return {
    kind: record.kind,
    startTime: record.startedAt ?? record.createdAt,
    message: record.message === '' ? (ended?.message ?? '') : record.message,
    environment: { ...record.environment, ...ended?.environment, [USER_OF_UPDATE]: record.by },
    config: Object.fromEntries(
      Object.entries(record.config).map(([key, value]) => [key, storedConfig(value)]),
    ),
    version: 0,
    result: ending.status === 'succeeded' ? 'succeeded' : 'failed',
    endTime: ending.at,
    resourceChanges: record.resourceChanges,
    ...(detail !== undefined && { cairn: detail }),
  };
}

/** Returns a row of the history as the protocol lists it. */
export function updateInfoOf(row: HistoryRow): UpdateInfo {
  return {
    kind: row.kind,
    startTime: row.startTime,
    message: row.message,
    environment: row.environment,
    config: Object.fromEntries(Object.entries(row.config).map(([key, value]) => [key, wireConfig(value)])),
    result: row.result,
    endTime: row.endTime,
    version: row.number,
    ...(row.resourceChanges === undefined ? {} : { resourceChanges: row.resourceChanges }),
    ...(row.cairn && { cairn: row.cairn }),
  };
}

/**
 * Returns a preview as the protocol lists it. Its kind is `preview`, or that of the operation that it previews if that
 * is no update.
 */
export function previewInfoOf(record: UpdateRecord): UpdateInfo {
  const { kind, message, environment, config, createdAt, startedAt = createdAt, ending } = record;
  return {
    ...{ kind: kind === 'update' ? 'preview' : kind, startTime: startedAt, message, environment, config },
    result: ending === undefined ? 'in-progress' : ending.status === 'succeeded' ? 'succeeded' : 'failed',
    ...{ endTime: ending?.at ?? 0, version: record.previewOf ?? 0 },
    ...(record.resourceChanges && { resourceChanges: record.resourceChanges }),
  };
}

/** Returns the history entry of an update that another service or a bucket had. */
export function pastEntryOf({ info }: ImportedVersion): HistoryEntry {
  const { kind, startTime, endTime, message, result, environment, config, resourceChanges } = info;
  return {
    ...{ kind, startTime, endTime, message, result, version: 0, environment: environment ?? {} },
    config: Object.fromEntries(
      Object.entries(config ?? {}).map(([key, value]) => [key, storedConfig(value)]),
    ),
    resourceChanges: resourceChanges ?? undefined,
  };
}

type ImportedVersion = InferOutput<typeof ImportVersionRequest>;

type StoredConfig = HistoryEntry['config'][string];

/** Returns a value of the configuration as history files have it. */
export function storedConfig({ string, secret, object }: ConfigValueMessage): StoredConfig {
  if (secret) return { secure: string };
  if (!object) return string;
  try {
    return JSON.parse(string) as StoredConfig;
  } catch {
    return string;
  }
}

function wireConfig(value: StoredConfig): ConfigValueMessage {
  if (typeof value === 'string') return { string: value, secret: false, object: false };
  const secure =
    typeof value === 'object' && value !== null && 'secure' in value ? value['secure'] : undefined;
  if (typeof secure === 'string') return { string: secure, secret: true, object: false };
  return { string: JSON.stringify(value), secret: false, object: true };
}

/** Returns an update that runs, as clients see it. */
export function currentOperationOf({ kind, by, startedAt = 0 }: UpdateRecord): {
  readonly kind: string;
  readonly author: string;
  readonly started: number;
} {
  return { kind, author: by, started: startedAt };
}
