import { SOURCE, isOutput, isPending, sourceOf } from '../output/brand.js';
import type { OutputHandle, Source } from '../output/brand.js';
import { isPlainObject } from '../output/resolution.js';

/**
 * Returns the pending outputs in a value, at any depth of its lists and plain objects, or undefined if there are none.
 * A value that contains itself ends the search, as it has no serialised form.
 */
export function pendingOutputs(value: object): readonly OutputHandle<unknown>[] | undefined {
  return search(value, undefined, undefined);
}

/** The containers around a value, to detect cycles. */
interface Around {
  readonly container: object;
  readonly outer: Around | undefined;
}

function search(
  container: object,
  outer: Around | undefined,
  already: OutputHandle<unknown>[] | undefined,
): OutputHandle<unknown>[] | undefined {
  let found = already;
  let around: Around | undefined;
  const items: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
  for (const item of items) {
    if (typeof item !== 'object' || item === null) continue;
    if (isOutput(item)) {
      if (isPending(sourceOf(item))) (found ??= []).push(item);
    } else if (Array.isArray(item) || isPlainObject(item)) {
      around ??= { container, outer };
      if (!isAround(item, around)) found = search(item, around, found);
    }
  }
  return found;
}

function isAround(item: object, around: Around): boolean {
  for (let at: Around | undefined = around; at !== undefined; at = at.outer)
    if (at.container === item) return true;
  return false;
}

/**
 * Waits until all of them are known, and stores the results so that no later read has to wait. Awaits them one after
 * the other: a list of promises for each of tens of thousands of waiting resources would use most of a program's
 * memory.
 */
export async function settleOutputs(outputs: readonly OutputHandle<unknown>[]): Promise<void> {
  // Outputs that fail while another is awaited are handled here too.
  for (let at = 1; at < outputs.length; at += 1)
    (sourceOf(outputs[at] as OutputHandle<unknown>) as Promise<unknown>).catch(ignore);
  for (const output of outputs) (output as { [SOURCE]: Source })[SOURCE] = await sourceOf(output);
}

function ignore(): void {}
