import { isProviderType, isRootStackUrn, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ChangeTx, Status, TaskView } from '@cairn/changes';
import type { PastTask } from '../model/history.js';
import type { OperationPolicy } from '../model/request.js';
import { GROUND, OUTSIDE, ResourceUse } from './resource-use.js';
import type { DomainsChanged } from './resource-use.js';

/** What fails and rolls back together. */
type Isolation = NonNullable<OperationPolicy['isolate']>;

/** A resource, as far as its failure domain goes. */
export interface Placed {
  readonly urn: Urn;
  readonly parent: Urn | undefined;
  readonly custom: boolean;
}

/**
 * Failure domains of an operation [REC-11]: one for everything, one for each outermost component, or one for each
 * resource; and which of them have failed. What was registered is noted; other resources are placed by what the state
 * says of them.
 */
export class FailureLanes {
  readonly #domains = new Map<Urn, string>();
  readonly #lanes = new Map<string, number>([[OUTSIDE, 0]]);
  readonly #names = new Map<number, string>([[0, OUTSIDE]]);
  readonly #failed = new Set<string>();
  /** Resources that fell with every domain that they were in. */
  readonly #failedAlone = new Set<Urn>();
  readonly #use = new ResourceUse((urn) => this.#domain(urn));
  readonly #tasks = new Map<Urn, string[]>();
  #everything = false;

  constructor(
    private readonly isolation: Isolation,
    /** A resource as the state has it. */
    private readonly stored: (urn: Urn) => Placed | undefined,
  ) {}

  /** A failure leaves other domains alone. */
  get isolates(): boolean {
    return this.isolation !== 'none';
  }

  /** Whether any domain has failed. */
  get someFell(): boolean {
    return this.#everything || this.#failed.size > 0;
  }

  /**
   * A resource is registered. Gives what belongs to other domains now: what several components use is in all of theirs,
   * so that it stays while one of them is whole.
   */
  place(resource: Placed, references: Iterable<Urn>): readonly DomainsChanged[] {
    if (!this.isolates) return NONE;
    this.#domains.set(resource.urn, this.#domainOf(resource));
    if (this.isolation !== 'component' || this.hasFailed(resource.urn)) return NONE;
    return this.#use
      .registered(resource.urn, references)
      .filter(({ urn }) => this.#tasks.has(urn) && !this.hasFailed(urn));
  }

  /** Gives the tasks of a resource the lanes of its domains. */
  move({ urn, before, after }: DomainsChanged, t: Pick<ChangeTx, 'newLane' | 'changeLanes'>): void {
    const join = after.filter((domain) => !before.includes(domain)).map((domain) => this.#laneOf(domain, t));
    const leave = before.filter((domain) => !after.includes(domain)).map((domain) => this.#laneOf(domain, t));
    for (const id of this.#tasks.get(urn) ?? []) t.changeLanes(id, { join, leave });
  }

  /** A task is about the resource. */
  noteTask(urn: Urn, id: string): void {
    if (this.isolation !== 'component') return;
    const known = this.#tasks.get(urn);
    if (known === undefined) this.#tasks.set(urn, [id]);
    else known.push(id);
  }

  /** The lanes of a resource's tasks, opened when it is the first of its domain. */
  lanesOf(urn: Urn, t: Pick<ChangeTx, 'newLane'>): readonly number[] {
    return this.#domainsOf(urn).map((domain) => this.#laneOf(domain, t));
  }

  /** Whether what failed takes the resource with it. */
  hasFailed(urn: Urn): boolean {
    if (this.#everything) return true;
    if (this.#failed.size === 0 && this.#failedAlone.size === 0) return false;
    return this.#failedAlone.has(urn) || this.#domainsOf(urn).every((domain) => this.#failed.has(domain));
  }

  /** Something about the resource has failed. */
  fell(urn: Urn): void {
    for (const domain of this.#domainsOf(urn)) this.#failed.add(domain);
  }

  /**
   * Earlier changes of the lineage were undoing something when they were cut off: that goes on, and nothing of it
   * is done again [REC-11]. A domain whose rollback had ended is tried again.
   */
  fellBefore(past: readonly PastTask[]): void {
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
      if (this.stored(urn) !== undefined) this.fell(urn);
      // What is not there any more is known by its own name when it is registered: a component is the name of its
      // domain.
      this.#failed.add(urn);
    }
  }

  /** Everything is to be rolled back. */
  allFell(): void {
    this.#everything = true;
  }

  /** A task failed, or was aborted with what failed. */
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
