import { isOutput, sourceOf } from '../output/brand.js';
import type { Output } from '../output/brand.js';
import { isPlainObject } from '../output/resolution.js';

/**
 * Calls a program that is a function, and returns its result as a module. Stack outputs are the exports of a module or
 * the members of an object; any other result is only awaited.
 */
export async function offeredModule(program: () => unknown): Promise<object> {
  const offered = await program();
  if (isOutput(offered)) return { default: await membersOf(offered as Output<unknown>) };
  if (typeof offered !== 'object' || offered === null) return {};
  const isModule =
    (offered as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === 'Module' ||
    '__esModule' in offered;
  return isModule ? offered : { default: isPlainObject(offered) ? offered : {} };
}

/** Returns the members of an output, each as an output, so that secrets remain secret. */
async function membersOf(offered: Output<unknown>): Promise<object> {
  const { value } = await sourceOf(offered);
  const keys = typeof value === 'object' && value !== null && isPlainObject(value) ? Object.keys(value) : [];
  return Object.fromEntries(
    keys.map((key) => [key, offered.apply((all) => (all as Record<string, unknown>)[key])]),
  );
}
