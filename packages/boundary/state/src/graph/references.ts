import type { EntryFields, KeysWith, ReferenceKind } from '../document/entry-fields.js';

/**
 * Value that refers to resources: an entry in memory or as stored, or the goal of a registration.
 *
 * `viewOf` is a name, not a reference. A view belongs to its owner, which is also its parent, and that orders the two.
 * `viewOf` is renamed with everything else, but it is never an edge, never missing and never removed.
 */
export type Referring<U extends string = string> = {
  readonly [K in KeysWith<{ reference: ReferenceKind }> | 'viewOf']?:
    ReferringValues<U>[EntryFields[K]['kind']] | undefined;
};

interface ReferringValues<U extends string> {
  urn: U;
  urns: readonly U[];
  urnLists: Readonly<Record<string, readonly U[] | null>>;
  /** `<URN>::<id>`. */
  reference: string;
}

/** Visits a reference. `detail` is the property of a property dependency, or the whole reference of a provider. */
type VisitReference<U extends string> = (urn: U, kind: ReferenceKind, detail?: string) => void;

/** Calls `visit` for each reference, in a fixed order. A URN may come several times, an empty text never. */
export function eachReference<U extends string>(of: Referring<U>, visit: VisitReference<U>): void {
  const { provider, parent, dependencies, propertyDependencies, deletedWith, replaceWith } = of;
  if (provider) visit(providerUrn(provider) as U, 'provider', provider);
  if (parent) visit(parent, 'parent');
  if (dependencies) visitEach(dependencies, visit, 'dependency');
  for (const key in propertyDependencies) {
    const urns = propertyDependencies[key];
    if (urns) visitEach(urns, visit, 'property-dependency', key);
  }
  if (deletedWith) visit(deletedWith, 'deleted-with');
  if (replaceWith) visitEach(replaceWith, visit, 'replace-with');
}

function visitEach<U extends string>(
  urns: readonly U[],
  visit: VisitReference<U>,
  kind: ReferenceKind,
  detail?: string,
): void {
  for (let at = 0; at < urns.length; at++) if (urns[at]) visit(urns[at] as U, kind, detail);
}

/** Number of URNs up to which a search of a list costs less than a set. */
const FEW = 16;

/** Returns every URN that is referred to, each once, in the order of {@link eachReference}. */
export function references<U extends string>(of: Referring<U>): readonly U[] {
  const found: U[] = [];
  let many: Set<U> | undefined;
  eachReference(of, (urn) => {
    if (found.length === FEW) many ??= new Set(found);
    if (many === undefined ? found.includes(urn) : many.has(urn)) return;
    many?.add(urn);
    found.push(urn);
  });
  return found;
}

/**
 * Tells whether there is a reference to one of the URNs, of a kind that `counts` accepts. By default all kinds count.
 */
export function refersToAny<U extends string>(
  of: Referring<U>,
  urns: { has(urn: U): boolean },
  counts: (kind: ReferenceKind) => boolean = () => true,
): boolean {
  let found = false;
  eachReference(of, (urn, kind) => (found ||= counts(kind) && urns.has(urn)));
  return found;
}

/**
 * One reference of an entry. `key` is the property of a property dependency, `reference` the whole text of a provider
 * reference.
 */
export interface EntryReference {
  readonly kind: ReferenceKind;
  readonly urn: string;
  readonly key?: string;
  readonly reference?: string;
}

/** Returns all references as a list, in the order of {@link eachReference}. */
export function referenceList(of: Referring): readonly EntryReference[] {
  const found: EntryReference[] = [];
  eachReference(of, (urn, kind, detail) => {
    if (detail === undefined) found.push({ kind, urn });
    else found.push(kind === 'provider' ? { kind, urn, reference: detail } : { kind, urn, key: detail });
  });
  return found;
}

/** Returns the URN in a provider reference: the part before the last `::`. Returns a text without `::` unchanged. */
export function providerUrn(reference: string): string {
  const at = reference.lastIndexOf('::');
  return at < 0 ? reference : reference.slice(0, at);
}
