import { goJson, indentJson } from '@cairn/state';
import type { Json } from '@cairn/state';
import type { World } from '../world.js';

/**
 * Prints one JSON document, two spaces a level [EVT-5]: fields of what `goStruct` has marked in their order, other keys
 * sorted. `escapeHtml`: see [STATE-1].
 */
export function printJson(world: World, value: Json, options: { readonly escapeHtml?: boolean } = {}): void {
  world.stdout.write(`${indentJson(goJson(value, { ...options, structs: true }), 2)}\n`);
}
