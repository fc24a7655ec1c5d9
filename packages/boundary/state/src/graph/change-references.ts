import type { SerializedResource } from '../document/serialized.js';
import { ENTRY_FIELD_LIST } from '../document/entry-fields.js';
import type { FieldKind, KeysWith, ReferenceKind } from '../document/entry-fields.js';
import { providerUrn } from './references.js';
import type { Referring } from './references.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Fields of a {@link Referring} that differ. A removed field has the value `undefined`, an emptied list `[]`. */
export type ChangedReferences<U extends string = string> = Mutable<Referring<U>>;

/**
 * Returns the URN that replaces a reference, or `undefined` to remove the reference. `key` is the property of a
 * property dependency.
 */
type ReplaceReference<U extends string> = (urn: U, kind: ReferenceKind, key?: string) => U | undefined;

/** Treatment of the key of a property whose last dependency is removed, or that had none: keep or remove the key. */
type EmptyKeys = 'stay' | 'go';

/**
 * Returns the differences once every reference is replaced by the result of `replace`, or `undefined` if there are
 * none. Provider references keep their place and id. `viewOf` is not a reference, see {@link Referring}.
 */
export function changedReferences<U extends string>(
  of: Referring<U>,
  replace: ReplaceReference<U>,
  emptyKeys: EmptyKeys = 'stay',
): ChangedReferences<U> | undefined {
  let changed: ChangedReferences<U> | undefined;
  for (let index = 0; index < SINGLE.length; index++) {
    const { field, kind } = SINGLE[index] as (typeof SINGLE)[number];
    const before = of[field];
    if (!before) continue;
    const after = replace(before, kind);
    if (after !== before) (changed ??= {})[field] = after;
  }
  for (let index = 0; index < LISTS.length; index++) {
    const { field, kind } = LISTS[index] as (typeof LISTS)[number];
    const before = of[field];
    const after = before && replaceAll(before, replace, kind);
    if (after !== before) (changed ??= {})[field] = after;
  }
  const byKey = changedLists(of.propertyDependencies, replace, emptyKeys);
  if (byKey !== of.propertyDependencies) (changed ??= {}).propertyDependencies = byKey;
  return changed;
}

/**
 * Returns the differences once every name of a resource is renamed: references, including the provider's, and `viewOf`.
 */
export function renamedReferences<U extends string>(
  of: Referring<U>,
  rename: (urn: U) => U,
): ChangedReferences<U> | undefined {
  const changed = changedReferences(of, rename) ?? {};
  if (of.provider) {
    const provider = renamedProvider(of.provider, rename);
    if (provider !== of.provider) changed.provider = provider;
  }
  if (of.viewOf) {
    const viewOf = rename(of.viewOf);
    if (viewOf !== of.viewOf) changed.viewOf = viewOf;
  }
  return Object.keys(changed).length === 0 ? undefined : changed;
}

/** Fields of the kind that refer to entries, with the kind of reference. */
function fieldsOf<K extends FieldKind>(
  kind: K,
): readonly {
  readonly field: KeysWith<{ kind: K; reference: ReferenceKind }>;
  readonly kind: ReferenceKind;
}[] {
  return ENTRY_FIELD_LIST.flatMap(({ key, kind: fieldKind, reference }) =>
    fieldKind === kind && reference !== undefined ? [{ field: key as never, kind: reference }] : [],
  );
}

const SINGLE = fieldsOf('urn');
const LISTS = fieldsOf('urns');

/** Replaces the URNs of a list. Returns the same list if nothing changes. */
function replaceAll<U extends string>(
  urns: readonly U[],
  replace: ReplaceReference<U>,
  kind: ReferenceKind,
  key?: string,
): readonly U[] {
  let after: U[] | undefined;
  for (let index = 0; index < urns.length; index++) {
    const before = urns[index] as U;
    const urn = replace(before, kind, key);
    if (urn !== before) after ??= urns.slice(0, index);
    if (urn !== undefined) after?.push(urn);
  }
  return after ?? urns;
}

/** Replaces the URNs of several lists. Returns the same lists if nothing changes. */
function changedLists<U extends string>(
  lists: Referring<U>['propertyDependencies'],
  replace: ReplaceReference<U>,
  emptyKeys: EmptyKeys,
): Referring<U>['propertyDependencies'] {
  if (lists === undefined) return lists;
  let after: [string, readonly U[] | null][] | undefined;
  const keys = Object.keys(lists);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const before = lists[key] ?? null;
    const urns = before && replaceAll(before, replace, 'property-dependency', key);
    const goes = emptyKeys === 'go' && (urns === null || urns.length === 0);
    if (goes || urns !== before) after ??= listsOf(lists, keys, index);
    if (!goes) after?.push([key, urns]);
  }
  return after === undefined ? lists : Object.fromEntries(after);
}

/** Returns the lists of the first keys. */
function listsOf<U extends string>(
  lists: NonNullable<Referring<U>['propertyDependencies']>,
  keys: readonly string[],
  count: number,
): [string, readonly U[] | null][] {
  return count === 0 ? [] : keys.slice(0, count).map((key) => [key, lists[key] ?? null]);
}

/** Renames the URN in a provider reference; the id remains. */
function renamedProvider<U extends string>(reference: string, rename: (urn: U) => U): string {
  const urn = providerUrn(reference);
  return urn === reference ? reference : rename(urn as U) + reference.slice(urn.length);
}

/**
 * Returns the stored entry with its differences, without removed fields and emptied lists. Returns the entry itself if
 * there are none.
 */
export function withChangedReferences(
  resource: SerializedResource,
  changed: ChangedReferences | undefined,
): SerializedResource {
  if (changed === undefined) return resource;
  const kept: Mutable<SerializedResource> = { ...resource, ...changed };
  for (const field of Object.keys(changed) as (keyof ChangedReferences)[]) {
    const value = kept[field];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) delete kept[field];
  }
  return kept;
}
