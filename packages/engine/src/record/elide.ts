import { equal, equalMaps } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { CustomTimeouts, ResourceEntry } from '@cairn/state';
import type { Urn } from '@cairn/addresses';

type Compare<K extends keyof ResourceEntry> = (a: ResourceEntry[K], b: ResourceEntry[K]) => boolean;

const identical = <T>(a: T, b: T): boolean => a === b;

/**
 * Fields whose change makes a `same` step worth writing at once [STATE-7]. Cheap
 * comparisons come first.
 */
const MUST_WRITE = {
  urn: identical,
  type: identical,
  custom: identical,
  parent: identical,
  provider: identical,
  protect: identical,
  retainOnDelete: identical,
  deletedWith: identical,
  external: identical,
  importId: identical,
  customTimeouts: sameTimeouts,
  dependencies: sameSet,
  replaceWith: sameList,
  propertyDependencies: sameLists,
  resourceHooks: sameLists,
  extensionRef: identical,
  replacementTrigger: sameTrigger,
  inputs: equalMaps,
  outputs: equalMaps,
} as const satisfies { readonly [K in keyof ResourceEntry]?: Compare<K> };

/** Further fields that are written before the operation ends, if nothing wrote the entry before. */
const WRITE_AT_END = {
  sourcePosition: identical,
  ignoreChanges: sameList,
  replaceOnChanges: sameList,
  additionalSecretOutputs: sameList,
  snippetId: identical,
  hideDiffs: sameJson,
  stackTrace: sameJson,
} as const satisfies { readonly [K in keyof ResourceEntry]?: Compare<K> };

/** Whether the outcome of a `same` step must be written now rather than when something refers to it. */
export function mustWrite(old: ResourceEntry, entry: ResourceEntry): boolean {
  return differs(MUST_WRITE, old, entry);
}

/** Whether an elided entry holds anything that the written one does not. */
export function mustWriteAtEnd(old: ResourceEntry, entry: ResourceEntry): boolean {
  return differs(WRITE_AT_END, old, entry);
}

function differs(
  table: { readonly [K in keyof ResourceEntry]?: Compare<K> },
  old: ResourceEntry,
  entry: ResourceEntry,
): boolean {
  for (const key of Object.keys(table) as (keyof ResourceEntry)[]) {
    const compare = table[key] as (a: unknown, b: unknown) => boolean;
    if (!compare(old[key], entry[key])) return true;
  }
  return false;
}

function sameTimeouts(a: CustomTimeouts, b: CustomTimeouts): boolean {
  return (
    a === b || (a.create === b.create && a.update === b.update && a.delete === b.delete && a.read === b.read)
  );
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function sameSet(a: readonly Urn[], b: readonly Urn[]): boolean {
  return sameList(a, b) || (a.length === b.length && sameList(a.toSorted(), b.toSorted()));
}

function sameLists(
  a: Readonly<Record<string, readonly string[]>>,
  b: Readonly<Record<string, readonly string[]>>,
): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameList(a[key] ?? [], b[key] ?? []))
  );
}

function sameTrigger(a: PropertyValue | undefined, b: PropertyValue | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && equal(a, b));
}

function sameJson(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a === b) return true;
  return a.length === b.length && (a.length === 0 || JSON.stringify(a) === JSON.stringify(b));
}
