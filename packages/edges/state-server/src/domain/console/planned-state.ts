import { UNKNOWN_ID } from '@cairn/addresses';
import type { ConsolePreviewStep } from '@cairn/http-api';
import { parsePathTolerantly } from '@cairn/values';
import { isSealedValue } from './blinded-values.js';
import type { StateEntry } from './state-entries.js';

/**
 * Returns a state as it would be after the steps of a preview. A preview has no values, so each property that it
 * changes is unknown, and so is the id of an object that it makes.
 */
export function plannedEntries(
  before: readonly StateEntry[],
  steps: readonly ConsolePreviewStep[],
): readonly StateEntry[] {
  const planned = new Map(before.filter((entry) => entry['delete'] !== true).map((each) => [each.urn, each]));
  for (const step of steps) {
    const { urn, type, op } = step;
    const entry = planned.get(urn);
    if (op === 'delete' || op === 'discard') planned.delete(urn);
    else if (entry !== undefined) planned.set(urn, changedEntry(entry, step));
    else if (/^(?:create|import)/.test(op)) planned.set(urn, { urn, type, custom: true });
  }
  return [...planned.values()];
}

function changedEntry(entry: StateEntry, { op, differences }: ConsolePreviewStep): StateEntry {
  const inputs = differences.reduce<unknown>(
    (value, { path, kind }) => plannedValue(value, parsePathTolerantly(path), kind),
    entry['inputs'] ?? {},
  );
  return { ...entry, inputs, ...(/replac/.test(op) && { id: UNKNOWN_ID }) };
}

/** Returns a value with the property at a path unknown, or without it. A secret on the way is unknown as a whole. */
function plannedValue(value: unknown, path: readonly (string | number)[], kind: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null || isSealedValue(value))
    return UNKNOWN_ID;
  const inner = Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined;
  const isGone = rest.length === 0 && kind.startsWith('delete');
  const changed = rest.length === 0 ? UNKNOWN_ID : plannedValue(inner, rest, kind);
  if (Array.isArray(value)) {
    const copy: unknown[] = [...(value as readonly unknown[])];
    copy.splice(Number(key), 1, ...(isGone ? [] : [changed]));
    return copy;
  }
  const others = Object.entries(value).filter(([each]) => each !== String(key));
  return Object.fromEntries(isGone ? others : [...others, [String(key), changed]]);
}
