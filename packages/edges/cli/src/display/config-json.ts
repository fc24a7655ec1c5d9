import type { ConfigValue } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import { configText, isSecure } from '@cairn/workspace';

/**
 * A value of a configuration in JSON output [EVT-5]: a secret that is not shown has no value, one that cannot be opened
 * any more, in whole or in part, says so.
 */
export function configJson({ stored, secret, value, unreadable }: ConfigValue): JsonObject {
  if (unreadable === true) return goStruct({ value: 'ERROR_UNABLE_TO_DECRYPT', secret });
  if (value === undefined) return { secret };
  const text = configText(value);
  const object = typeof stored === 'object' && !isSecure(stored);
  return goStruct({ value: text, ...(object ? { objectValue: JSON.parse(text) as Json } : {}), secret });
}
