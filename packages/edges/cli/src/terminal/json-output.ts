import { goJson, indentJson } from '@cairn/state';
import type { Json } from '@cairn/state';
import type { CommandContext } from '../command-context.js';

/**
 * Prints one JSON document with two spaces for each level [EVT-5]. Fields of objects marked by `goStruct` keep their
 * order; other keys are sorted. For `escapeHtml` see [STATE-1].
 */
export function printJson(
  context: CommandContext,
  value: Json,
  options: { readonly escapeHtml?: boolean } = {},
): void {
  context.stdout.write(`${indentJson(goJson(value, { ...options, structs: true }), 2)}\n`);
}
