import type { SerializedResource } from '../serialized.js';
import { providerUrn } from './references.js';
import type { ReferenceKind, Referring } from './references.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The fields of a {@link Referring} that differ. A field that goes is there with `undefined`, a list that is left empty
 * with `[]`.
 */
export type ChangedReferences<U extends string = string> = Mutable<Referring<U>>;

/**
 * The URN that takes the place of a reference; undefined: the reference goes. `key`: the property of a property
 * dependency.
 */
type ReplaceReference<U extends string> = (urn: U, kind: ReferenceKind, key?: string) => U | undefined;

/** What becomes of the key of a property whose last dependency goes, or that had none: it stays, or goes as well. */
type EmptyKeys = 'stay' | 'go';

/**
 * What differs once every reference is replaced by what `replace` gives for it. Undefined: nothing does. Provider
 * references keep their place and id; `viewOf` is none, see {@link Referring}.
 */
export function changedReferences<U extends string>(
  of: Referring<U>,
  replace: ReplaceReference<U>,
  emptyKeys: EmptyKeys = 'stay',
): ChangedReferences<U> | undefined {
  const changed: ChangedReferences<U> = {};
  for (const [field, kind] of SINGLE) {
    const before = of[field];
    if (!before) continue;
    const after = replace(before, kind);
    if (after !== before) changed[field] = after;
  }
  for (const [field, kind] of LISTS) {
    const before = of[field];
    const after = before && replaceAll(before, (urn) => replace(urn, kind));
    if (after !== before) changed[field] = after;
  }
  const byKey = changedLists(of.propertyDependencies, replace, emptyKeys);
  if (byKey !== of.propertyDependencies) changed.propertyDependencies = byKey;
  return Object.keys(changed).length === 0 ? undefined : changed;
}

/**
 * What differs once everything that stands for a resource is renamed: references, the provider's among them, and
 * `viewOf`.
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

const SINGLE = [
  ['parent', 'parent'],
  ['deletedWith', 'deleted-with'],
] as const;

const LISTS = [
  ['dependencies', 'dependency'],
  ['replaceWith', 'replace-with'],
] as const;

/** The same list when nothing in it changes. */
function replaceAll<U extends string>(urns: readonly U[], replace: (urn: U) => U | undefined): readonly U[] {
  const after = urns.map(replace);
  if (after.every((urn, index) => urn === urns[index])) return urns;
  return after.filter((urn) => urn !== undefined);
}

/** The same lists when nothing in them changes. */
function changedLists<U extends string>(
  lists: Referring<U>['propertyDependencies'],
  replace: ReplaceReference<U>,
  emptyKeys: EmptyKeys,
): Referring<U>['propertyDependencies'] {
  if (lists === undefined) return lists;
  let changed = false;
  const after: [string, readonly U[] | null][] = [];
  for (const key of Object.keys(lists)) {
    const before = lists[key] ?? null;
    const urns = before && replaceAll(before, (urn) => replace(urn, 'property-dependency', key));
    const goes = emptyKeys === 'go' && (urns === null || urns.length === 0);
    changed ||= goes || urns !== before;
    if (!goes) after.push([key, urns]);
  }
  return changed ? Object.fromEntries(after) : lists;
}

/** A provider reference with its URN renamed; the id stays. */
function renamedProvider<U extends string>(reference: string, rename: (urn: U) => U): string {
  const urn = providerUrn(reference);
  return urn === reference ? reference : rename(urn as U) + reference.slice(urn.length);
}

/**
 * The stored entry with what differs: a field that goes and a list that is left empty are not written. Itself when
 * nothing differs.
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
