import { goJson, indentJson } from '@cairn/state';
import type { Json } from '@cairn/state';
import type { World } from '../world.js';

/**
 * Prints one JSON document with two spaces for each level [EVT-5]. Fields of objects marked by `goStruct` keep their
 * order; other keys are sorted. For `escapeHtml` see [STATE-1].
 */
export function printJson(world: World, value: Json, options: { readonly escapeHtml?: boolean } = {}): void {
  world.stdout.write(`${indentJson(goJson(value, { ...options, structs: true }), 2)}\n`);
}
