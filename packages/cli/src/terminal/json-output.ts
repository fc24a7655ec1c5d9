import type { World } from '../world.js';

/** Prints one JSON document, two spaces a level, keys in the order given. */
export function printJson(world: World, value: unknown): void {
  world.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
