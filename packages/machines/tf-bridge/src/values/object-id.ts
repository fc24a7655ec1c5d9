import { isNumber, isRecord, numberText, TfUnknown } from '@cairn/tfplugin';
import type { TfValue } from '@cairn/tfplugin';

/** Id of objects whose schema has none [TFE-9]. */
export const NO_ID = 'no-id';

/** Returns the id of an object: its attribute `id` as text. Undefined while that is unknown. */
export function objectId(value: TfValue): string | undefined {
  const id = isRecord(value) ? (value['id'] ?? null) : null;
  if (id instanceof TfUnknown) return undefined;
  if (typeof id === 'string' && id !== '') return id;
  if (typeof id === 'boolean') return String(id);
  return isNumber(id) ? numberText(id) : NO_ID;
}
