import type { ResourceEntry } from '@cairn/state';
import { equal, equalMaps } from '@cairn/values';

type Compare<K extends keyof ResourceEntry> = (a: ResourceEntry[K], b: ResourceEntry[K]) => boolean;

const identical = <T>(a: T, b: T): boolean => a === b;
const sameJson = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Every field that is stored, by how two of it are compared; aliases are never stored. */
const STORED: { readonly [K in keyof ResourceEntry]: Compare<K> | undefined } = {
  urn: identical,
  type: identical,
  custom: identical,
  id: identical,
  parent: identical,
  provider: identical,
  delete: identical,
  pendingReplacement: identical,
  protect: identical,
  taint: identical,
  external: identical,
  retainOnDelete: identical,
  refreshBeforeUpdate: identical,
  dependencies: sameJson,
  propertyDependencies: sameJson,
  deletedWith: identical,
  replaceWith: sameJson,
  viewOf: identical,
  initErrors: sameJson,
  additionalSecretOutputs: sameJson,
  aliases: undefined,
  customTimeouts: sameJson,
  importId: identical,
  created: identical,
  modified: identical,
  sourcePosition: identical,
  stackTrace: sameJson,
  ignoreChanges: sameJson,
  replaceOnChanges: sameJson,
  hideDiffs: sameJson,
  replacementTrigger: (a, b) => a === b || (a !== undefined && b !== undefined && equal(a, b)),
  resourceHooks: sameJson,
  extensionRef: identical,
  snippetId: identical,
  inputs: equalMaps,
  outputs: equalMaps,
};

/** Whether two entries are stored alike. */
export function sameEntry(a: ResourceEntry, b: ResourceEntry): boolean {
  if (a === b) return true;
  for (const key of Object.keys(STORED) as (keyof ResourceEntry)[]) {
    const compare = STORED[key] as ((a: unknown, b: unknown) => boolean) | undefined;
    if (compare !== undefined && !compare(a[key], b[key])) return false;
  }
  return true;
}
