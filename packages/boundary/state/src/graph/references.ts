/** How one entry needs another. */
export type ReferenceKind =
  'provider' | 'parent' | 'dependency' | 'property-dependency' | 'deleted-with' | 'replace-with';

/**
 * Whatever refers to resources: an entry in memory or as it is stored, or the goal of a registration.
 *
 * `viewOf` is a name, not a reference: a view belongs to its owner, and what orders the two is that the owner is the
 * view's parent. It is renamed with everything else, and is never an edge, never missing and never taken out.
 */
export interface Referring<U extends string = string> {
  /** A provider reference: `<URN>::<id>`. */
  readonly provider?: string | undefined;
  readonly parent?: U | undefined;
  readonly dependencies?: readonly U[] | undefined;
  readonly propertyDependencies?: Readonly<Record<string, readonly U[] | null>> | undefined;
  readonly deletedWith?: U | undefined;
  readonly replaceWith?: readonly U[] | undefined;
  readonly viewOf?: U | undefined;
}

/** `detail`: the property of a property dependency, the whole reference of a provider. */
type VisitReference<U extends string> = (urn: U, kind: ReferenceKind, detail?: string) => void;

/** Tells `visit` everything that is referred to, in one order; a URN may come several times, an empty text never. */
export function eachReference<U extends string>(of: Referring<U>, visit: VisitReference<U>): void {
  const { provider, parent, dependencies, propertyDependencies, deletedWith, replaceWith } = of;
  if (provider) visit(providerUrn(provider) as U, 'provider', provider);
  if (parent) visit(parent, 'parent');
  if (dependencies) for (const urn of dependencies) if (urn) visit(urn, 'dependency');
  if (propertyDependencies) {
    for (const key of Object.keys(propertyDependencies)) {
      const urns = propertyDependencies[key];
      if (urns) for (const urn of urns) if (urn) visit(urn, 'property-dependency', key);
    }
  }
  if (deletedWith) visit(deletedWith, 'deleted-with');
  if (replaceWith) for (const urn of replaceWith) if (urn) visit(urn, 'replace-with');
}

/** Every URN that is referred to, each once, in the order of {@link eachReference}. */
export function references<U extends string>(of: Referring<U>): ReadonlySet<U> {
  const found = new Set<U>();
  eachReference(of, (urn) => found.add(urn));
  return found;
}

/** Whether one of the URNs is referred to, in one of the ways that count; in any, when nothing says which do. */
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
 * One reference of an entry. `key`: the property, of a property dependency. `reference`: the whole text, of a provider.
 */
export interface EntryReference {
  readonly kind: ReferenceKind;
  readonly urn: string;
  readonly key?: string;
  readonly reference?: string;
}

/** Everything that is referred to, as a list, in the order of {@link eachReference}. */
export function referenceList(of: Referring): readonly EntryReference[] {
  const found: EntryReference[] = [];
  eachReference(of, (urn, kind, detail) => {
    if (detail === undefined) found.push({ kind, urn });
    else found.push(kind === 'provider' ? { kind, urn, reference: detail } : { kind, urn, key: detail });
  });
  return found;
}

/** The URN in a provider reference: what stands before the last `::`. Of a text without one, the text. */
export function providerUrn(reference: string): string {
  const at = reference.lastIndexOf('::');
  return at < 0 ? reference : reference.slice(0, at);
}
