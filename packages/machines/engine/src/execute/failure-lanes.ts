import { isProviderType, isRootStackUrn, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ChangeTx, Status, TaskView } from '@cairn/changes';
import type { PastTask } from '../model/history.js';
import type { OperationPolicy } from '../model/request.js';
import { GROUND, OUTSIDE, ResourceUse } from './resource-use.js';
import type { DomainsChanged } from './resource-use.js';

/** Unit that fails and rolls back together. */
type Isolation = NonNullable<OperationPolicy['isolate']>;

/** Fields of a resource that determine its failure domain. */
export interface Placed {
  readonly urn: Urn;
  readonly parent: Urn | undefined;
  readonly custom: boolean;
}

/**
 * Failure domains of an operation [REC-11], and which of them have failed. There is one for everything, one for each
 * outermost component, or one for each resource. Registered resources are recorded here. Other resources are placed
 * according to the state.
 */
export class FailureLanes {
  readonly #domains = new Map<Urn, string>();
  readonly #lanes = new Map<string, number>([[OUTSIDE, 0]]);
  readonly #names = new Map<number, string>([[0, OUTSIDE]]);
  readonly #failed = new Set<string>();
  /** Resources that failed with all of their domains. */
  readonly #failedAlone = new Set<Urn>();
  readonly #use = new ResourceUse((urn) => this.#domain(urn));
  readonly #tasks = new Map<Urn, string[]>();
  #everything = false;

  constructor(
    private readonly isolation: Isolation,
    /** Returns a resource as recorded in the state. */
    private readonly stored: (urn: Urn) => Placed | undefined,
  ) {}

  /** True if a failure does not affect other domains. */
  get isolates(): boolean {
    return this.isolation !== 'none';
  }

  /** True if any domain has failed. */
  get anyFailed(): boolean {
    return this.#everything || this.#failed.size > 0;
  }

  /**
   * Registers a resource. Returns the resources whose domains have changed. A resource that several components use is
   * in the domains of all of them. So it stays while one of them has not failed.
   */
  place(resource: Placed, references: Iterable<Urn>): readonly DomainsChanged[] {
    if (!this.isolates) return NONE;
    this.#domains.set(resource.urn, this.#domainOf(resource));
    if (this.isolation !== 'component' || this.hasFailed(resource.urn)) return NONE;
    return this.#use
      .registered(resource.urn, references)
      .filter(({ urn }) => this.#tasks.has(urn) && !this.hasFailed(urn));
  }

  /** Moves the tasks of a resource to the lanes of its domains. */
  move({ urn, before, after }: DomainsChanged, t: Pick<ChangeTx, 'newLane' | 'changeLanes'>): void {
    const join = after.filter((domain) => !before.includes(domain)).map((domain) => this.#laneOf(domain, t));
    const leave = before.filter((domain) => !after.includes(domain)).map((domain) => this.#laneOf(domain, t));
    for (const id of this.#tasks.get(urn) ?? []) t.changeLanes(id, { join, leave });
  }

  /** Records a task of the resource. */
  noteTask(urn: Urn, id: string): void {
    if (this.isolation !== 'component') return;
    const known = this.#tasks.get(urn);
    if (known === undefined) this.#tasks.set(urn, [id]);
    else known.push(id);
  }

  /** Returns the lanes of a resource's tasks. Opens them if it is the first of its domain. */
  lanesOf(urn: Urn, t: Pick<ChangeTx, 'newLane'>): readonly number[] {
    return this.#domainsOf(urn).map((domain) => this.#laneOf(domain, t));
  }

  /** Returns true if the resource fails because of earlier failures. */
  hasFailed(urn: Urn): boolean {
    if (this.#everything) return true;
    if (this.#failed.size === 0 && this.#failedAlone.size === 0) return false;
    return this.#failedAlone.has(urn) || this.#domainsOf(urn).every((domain) => this.#failed.has(domain));
  }

  /** Records a failure about the resource. */
  fail(urn: Urn): void {
    for (const domain of this.#domainsOf(urn)) this.#failed.add(domain);
  }

  /**
   * Takes over the failed domains of the lineage's last change. Earlier changes of the lineage were interrupted while
   * they undid these. That undo continues, and none of it is done again [REC-11]. A domain whose rollback had ended is
   * tried again.
   */
  failedEarlier(past: readonly PastTask[]): void {
    if (!this.isolates) return;
    const last = past.at(-1)?.change;
    const own = past.filter(({ change }) => change === last);
    const failing = new Set(own.filter(({ status }) => FAILING.has(status)).flatMap(({ lanes }) => lanes));
    if (failing.has(0)) this.#failed.add(OUTSIDE);
    for (const { urn, lanes } of own) {
      if (!lanes.every((lane) => failing.has(lane))) continue;
      if (lanes.length > 1) {
        this.#failedAlone.add(urn);
        continue;
      }
      if (lanes[0] === 0) continue;
      if (this.stored(urn) !== undefined) this.fail(urn);
      // A resource that no longer exists is known by its own name when it is registered. A component gives its name to
      // its domain.
      this.#failed.add(urn);
    }
  }

  /** Marks everything for rollback. */
  allFell(): void {
    this.#everything = true;
  }

  /** Marks the domains of a task that failed, or was aborted with a failed one. */
  taskFell({ lanes }: TaskView): void {
    for (const lane of lanes) {
      const domain = this.#names.get(lane);
      if (domain !== undefined) this.#failed.add(domain);
    }
  }

  #domainsOf(urn: Urn): readonly string[] {
    return this.isolation === 'component' ? this.#use.domains(urn) : [this.#domain(urn)];
  }

  #laneOf(domain: string, t: Pick<ChangeTx, 'newLane'>): number {
    const known = this.#lanes.get(domain);
    if (known !== undefined) return known;
    const lane = t.newLane();
    this.#lanes.set(domain, lane);
    this.#names.set(lane, domain);
    return lane;
  }

  #domain(urn: Urn): string {
    if (!this.isolates) return OUTSIDE;
    const known = this.#domains.get(urn);
    if (known !== undefined) return known;
    const stored = this.stored(urn);
    const domain = this.#domainOf(stored ?? { urn, parent: undefined, custom: true });
    this.#domains.set(urn, domain);
    return domain;
  }

  #domainOf({ urn, parent, custom }: Placed): string {
    if (isRootStackUrn(urn)) return GROUND;
    const top = parent === undefined || isRootStackUrn(parent);
    if (top && isProviderType(urnType(urn))) return GROUND;
    if (this.isolation === 'resource') return urn;
    const inside = top ? OUTSIDE : this.#domain(parent);
    return inside === OUTSIDE && !custom ? urn : inside;
  }
}

const NONE: readonly DomainsChanged[] = [];

/** Statuses of tasks that are being undone. */
const FAILING: ReadonlySet<Status> = new Set<Status>(['abort', 'undo', 'undoing']);
