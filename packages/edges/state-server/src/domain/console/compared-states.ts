import type { ConsoleCompareAnswer, ConsoleDifference } from '@cairn/http-api';
import { isSealedValue, blindedValue } from './blinded-values.js';
import { resourceRow } from './state-entries.js';
import type { StateEntry } from './state-entries.js';

/** Members of an entry whose differences are shown. Times of changes are no difference. */
const COMPARED = [
  ...['id', 'type', 'parent', 'provider', 'protect', 'external', 'retainOnDelete', 'dependencies'],
  ...['inputs', 'outputs'],
] as const;

/** Returns what differs between two states. Entries that wait for their deletion are left out. */
export function comparedStates(from: readonly StateEntry[], to: readonly StateEntry[]): ConsoleCompareAnswer {
  const before = byUrn(from);
  const after = byUrn(to);
  const gone = [...before.values()].filter(({ urn }) => !after.has(urn));
  const added = [...after.values()].filter(({ urn }) => !before.has(urn));
  const moved = movedEntries(gone, added);
  const isMoved = new Set(moved.flatMap((each) => [each.from, each.to]));
  const common = [...after.values()].filter(({ urn }) => before.has(urn));
  const changed = common.flatMap((entry) => {
    const differences = entryDifferences(before.get(entry.urn) as StateEntry, entry);
    return differences.length === 0 ? [] : [{ urn: entry.urn, differences }];
  });
  return {
    added: added.filter(({ urn }) => !isMoved.has(urn)).map(resourceRow),
    gone: gone.filter(({ urn }) => !isMoved.has(urn)).map(resourceRow),
    ...{ moved, changed, unchanged: common.length - changed.length },
  };
}

function byUrn(entries: readonly StateEntry[]): ReadonlyMap<string, StateEntry> {
  return new Map(entries.filter((entry) => entry['delete'] !== true).map((entry) => [entry.urn, entry]));
}

/** Pairs entries of the same object: the same type and id under another URN. */
function movedEntries(gone: readonly StateEntry[], added: readonly StateEntry[]) {
  const keyOf = ({ type, id }: StateEntry): string | undefined =>
    typeof id === 'string' && id !== '' ? JSON.stringify([type, id]) : undefined;
  const left = new Map(gone.map((entry) => [keyOf(entry), entry.urn]));
  return added.flatMap((entry) => {
    const key = keyOf(entry);
    const from = key === undefined ? undefined : left.get(key);
    return from === undefined ? [] : [{ from, to: entry.urn }];
  });
}

function entryDifferences(from: StateEntry, to: StateEntry): readonly ConsoleDifference[] {
  return COMPARED.flatMap((member) => differences(from[member], to[member], [member]));
}

/** Returns the differences of two values, each at the deepest path that both sides have. */
function differences(
  from: unknown,
  to: unknown,
  path: readonly (string | number)[],
): readonly ConsoleDifference[] {
  if (isContainer(from) && isContainer(to) && Array.isArray(from) === Array.isArray(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) =>
      differences(own(from, key), own(to, key), [...path, Array.isArray(to) ? Number(key) : key]),
    );
  }
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  return [
    {
      path,
      ...(from !== undefined && { from: blindedValue(from) }),
      ...(to !== undefined && { to: blindedValue(to) }),
    },
  ];
}

function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}

/** Secrets and other marked objects are one value. */
function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isSealedValue(value);
}
