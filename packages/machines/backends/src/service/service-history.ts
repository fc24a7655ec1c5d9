import { HistoryBody } from '@cairn/http-api';
import type { Json } from '@cairn/state';
import type { HistoryDetail, HistoryPage, HistoryRow } from '../model/history-entry.js';
import { isChangeResult } from '../model/change-result.js';
import { KIND_OF_UPDATE, isOperationKind } from '../model/operation-kind.js';
import type { UpdateKind } from '../model/operation-kind.js';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { ofStack } from './service-stacks.js';

/** Returns updates of a stack, newest first. */
export async function readServiceHistory(
  context: ServiceContext,
  id: StackId,
  { size, page }: HistoryPage,
): Promise<readonly HistoryRow[]> {
  const query = size === undefined ? {} : { pageSize: String(size), page: String(page ?? 1) };
  const names = pathNames(context, id);
  const { updates } = await ofStack(id, () =>
    context.http.json('listUpdates', HistoryBody, { names, query }),
  );
  return (updates ?? []).map(
    ({ kind, result, config, environment, resourceChanges, version, cairn, ...row }) => ({
      ...row,
      number: version,
      version,
      kind: isUpdateKind(kind) ? kind : 'update',
      result: result === 'succeeded' || result === 'failed' ? result : 'in-progress',
      environment: environment ?? {},
      config: Object.fromEntries(Object.entries(config ?? {}).map(([key, value]) => [key, valueOf(value)])),
      resourceChanges: resourceChanges ?? undefined,
      cairn: cairn ? detailOf(cairn) : undefined,
    }),
  );
}

function detailOf({ change, kind, result }: Readonly<Record<string, string>>): HistoryDetail | undefined {
  return change !== undefined && isOperationKind(kind) && isChangeResult(result)
    ? { change, kind, result }
    : undefined;
}

function isUpdateKind(kind: string): kind is UpdateKind {
  return Object.hasOwn(KIND_OF_UPDATE, kind);
}

/** Value of the configuration on the wire. */
interface ConfigText {
  readonly string: string;
  readonly secret: boolean;
  readonly object: boolean;
}

function valueOf({ string, secret, object }: ConfigText): Json {
  if (secret && !object) return { secure: string };
  if (!object) return string;
  try {
    return JSON.parse(string) as Json;
  } catch {
    return string;
  }
}

/** Returns configuration in the form of the wire. */
export function configTexts(config: Readonly<Record<string, Json>>): Readonly<Record<string, ConfigText>> {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, textOf(value)]));
}

function textOf(value: Json): ConfigText {
  if (typeof value === 'string') return { string: value, secret: false, object: false };
  const sealed = securedIn(value);
  if (sealed !== undefined) return { string: sealed, secret: true, object: false };
  return { string: JSON.stringify(value), secret: hasSecured(value), object: true };
}

function securedIn(value: Json | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { secure } = value as { readonly secure?: Json };
  return typeof secure === 'string' && Object.keys(value).length === 1 ? secure : undefined;
}

function hasSecured(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return securedIn(value) !== undefined || Object.values(value as object).some(hasSecured);
}
