import type { Urn } from '@cairn/addresses';

/** Domain of resources that belong to no component. */
export const OUTSIDE = '';
/**
 * Domain of the stack itself and of providers outside components. Everything builds on them, so no failure elsewhere
 * affects them.
 */
export const GROUND = 'ground';

/** Domains of one resource before and after another resource turned out to use it. */
export interface DomainsChanged {
  readonly urn: Urn;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Determines the failure domains of each resource. A resource that several components use belongs to all of them
 * [REC-11]. A resource of a component is in the domain of its component and in those of its users. One outside
 * components is in the domain of the outside and in those of the components that use it. With two or more of these and
 * no other user, it is only in theirs. All users of a resource also use everything it is built on.
 */
export class ResourceUse {
  readonly #references = new Map<Urn, readonly Urn[]>();
  /** Domains of its users other than its own. */
  readonly #users = new Map<Urn, Set<string>>();
  /** Users outside components, of resources outside components. */
  readonly #outsideUsers = new Map<Urn, Set<Urn>>();
  readonly #domains = new Map<Urn, readonly string[]>();

  /** `own` returns the domain that a resource has by its place. */
  readonly #own: (urn: Urn) => string;

  constructor(own: (urn: Urn) => string) {
    this.#own = own;
  }

  /** Returns every domain that a resource is in, at least one. */
  domains(urn: Urn): readonly string[] {
    return this.#domains.get(urn) ?? [this.#own(urn)];
  }

  /**
   * Registers a resource with its references. Returns the resources whose domains have changed. Revisits a resource
   * only when it gets another domain.
   */
  registered(user: Urn, references: Iterable<Urn>): readonly DomainsChanged[] {
    this.#references.set(user, [...references]);
    const changed: DomainsChanged[] = [];
    const users = [user];
    for (let at = 0; at < users.length; at += 1) {
      const each = users[at] as Urn;
      for (const used of this.#references.get(each) ?? []) {
        const change = this.#use(used, each);
        if (change === undefined) continue;
        changed.push(change);
        users.push(used);
      }
    }
    return changed;
  }

  #use(used: Urn, user: Urn): DomainsChanged | undefined {
    const own = this.#own(used);
    if (own === GROUND) return undefined;
    const users = this.#users.get(used) ?? new Set();
    this.#users.set(used, users);
    for (const domain of this.domains(user)) if (domain !== own && domain !== GROUND) users.add(domain);
    if (own === OUTSIDE && this.#own(user) === OUTSIDE) {
      const outside = this.#outsideUsers.get(used) ?? new Set();
      this.#outsideUsers.set(used, outside.add(user));
    }
    const before = this.domains(used);
    const after = this.#domainsNow(used, own, users);
    if (before.length === after.length && after.every((domain) => before.includes(domain))) return undefined;
    this.#domains.set(used, after);
    return { urn: used, before, after };
  }

  #domainsNow(used: Urn, own: string, users: ReadonlySet<string>): readonly string[] {
    const leavesOutside = own === OUTSIDE && users.size > 1 && !this.#isUsedOutside(used);
    return leavesOutside ? [...users] : [own, ...users];
  }

  #isUsedOutside(used: Urn): boolean {
    for (const user of this.#outsideUsers.get(used) ?? [])
      if (this.domains(user).includes(OUTSIDE)) return true;
    return false;
  }
}
