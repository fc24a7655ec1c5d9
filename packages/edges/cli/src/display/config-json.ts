import type { OpenedConfigValue } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import { configText, isSecure } from '@cairn/workspace';

/**
 * Returns a configuration value for JSON output [EVT-5]. A secret that is not shown has no value. One that can no
 * longer be decrypted, in whole or in part, is marked as such.
 */
export function configJson({ stored, secret, value, unreadable }: OpenedConfigValue): JsonObject {
  if (unreadable === true) return goStruct({ value: 'ERROR_UNABLE_TO_DECRYPT', secret });
  if (value === undefined) return { secret };
  const text = configText(value);
  const object = typeof stored === 'object' && !isSecure(stored);
  return goStruct({ value: text, ...(object ? { objectValue: JSON.parse(text) as Json } : {}), secret });
}
