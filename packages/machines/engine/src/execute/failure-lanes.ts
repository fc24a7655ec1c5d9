import { isProviderType, isRootStackUrn, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ChangeEvent, ChangeTx } from '@cairn/changes';
import { goalReferences } from '../decide/goal-references.js';
import type { GoalReferences } from '../decide/goal-references.js';
import { ON_THE_WAY_BACK } from '../model/history.js';
import type { Continued } from '../model/history.js';
import type { OperationPolicy } from '../model/request.js';
import type { StepKind } from '../model/step-kinds.js';
import { isTaskKind } from './handlers/index.js';
import type { OperationChange } from './operation-change.js';
import { GROUND, OUTSIDE, ResourceUse } from './resource-use.js';
import type { DomainsChanged } from './resource-use.js';

/** Unit that fails and rolls back together. */
type Isolation = NonNullable<OperationPolicy['isolate']>;

/** Fields of a resource that determine its failure domain. */
interface Placed {
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

  readonly #isolation: Isolation;
  /** Returns a resource as recorded in the state. */
  readonly #stored: (urn: Urn) => Placed | undefined;
  readonly #change: OperationChange;
  /** True if failed resources are rolled back. */
  readonly #rollsBack: boolean;

  constructor(
    isolation: Isolation,
    stored: (urn: Urn) => Placed | undefined,
    change: OperationChange,
    rollsBack: boolean,
  ) {
    this.#isolation = isolation;
    this.#stored = stored;
    this.#change = change;
    this.#rollsBack = rollsBack;
  }

  /** True if a failure does not affect other domains. */
  get isolates(): boolean {
    return this.#isolation !== 'none';
  }

  /** True if any domain has failed. */
  get anyFailed(): boolean {
    return this.#everything || this.#failed.size > 0 || this.#failedAlone.size > 0;
  }

  /**
   * Registers a resource with its failure domains. A resource that several components use is in the domains of all of
   * them. So it stays while one of them has not failed. Its tasks move to the lanes of its domains.
   */
  place(resource: Placed & GoalReferences): void {
    if (!this.isolates) return;
    const { urn } = resource;
    this.#domains.set(urn, this.#domainOf(resource));
    if (this.#isolation !== 'component' || this.hasFailed(urn)) return;
    const changed = this.#use
      .registered(urn, goalReferences(resource))
      .filter((each) => this.#tasks.has(each.urn) && !this.hasFailed(each.urn));
    if (changed.length === 0 || this.#change.abandoned) return;
    this.#change.tx((t) => {
      for (const each of changed) this.#move(each, t);
    });
  }

  #move({ urn, before, after }: DomainsChanged, t: ChangeTx): void {
    const join = after.filter((domain) => !before.includes(domain)).map((domain) => this.#laneOf(domain, t));
    const leave = before.filter((domain) => !after.includes(domain)).map((domain) => this.#laneOf(domain, t));
    for (const id of this.#tasks.get(urn) ?? []) t.changeLanes(id, { join, leave });
  }

  /** Records a task of the resource. */
  noteTask(urn: Urn, id: string): void {
    if (this.#isolation !== 'component') return;
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

  /** Returns true if the resource is in several domains, or failed with several. */
  isShared(urn: Urn): boolean {
    return this.#failedAlone.has(urn) || this.#domainsOf(urn).length > 1;
  }

  /**
   * Records a failure about a resource outside of tasks. Its failure domain fails with it, and is undone if the
   * operation rolls back. Only with isolation.
   */
  fail(urn: Urn): void {
    if (this.#change.abandoned || this.hasFailed(urn)) return;
    this.#change.tx((t) => {
      const lanes = this.lanesOf(urn, t);
      if (this.#rollsBack) t.abortLanes(lanes);
      else t.hold('something in its failure domain has failed', lanes);
    });
    this.#fell(urn);
  }

  #fell(urn: Urn): void {
    for (const domain of this.#domainsOf(urn)) this.#failed.add(domain);
  }

  /**
   * Takes over the failed domains of changes that were interrupted while they undid these. That undo continues, and
   * none of it is done again [REC-11]. A domain whose rollback had ended is tried again.
   */
  failedEarlier({ past, failing }: Pick<Continued, 'past' | 'failing'>): void {
    if (!this.isolates) return;
    const own = past.filter(({ change }) => failing?.has(change) === true);
    const back = own.filter(({ status }) => ON_THE_WAY_BACK.has(status));
    const failed = new Set(back.flatMap(({ change, lanes }) => lanes.map((lane) => `${change}/${lane}`)));
    if (back.some(({ lanes }) => lanes.includes(0))) this.#failed.add(OUTSIDE);
    for (const { change, urn, lanes, shared } of own) {
      if (!lanes.every((lane) => failed.has(`${change}/${lane}`))) continue;
      if (lanes.length > 1 || shared === true) {
        this.#failedAlone.add(urn);
        continue;
      }
      if (lanes[0] === 0) continue;
      if (this.#stored(urn) !== undefined) this.#fell(urn);
      // A resource that no longer exists is known by its own name when it is registered. A component gives its name to
      // its domain.
      this.#failed.add(urn);
    }
  }

  /** Returns true for a resource of an earlier change whose failed domain was taken over. */
  hadFailed(urn: Urn): boolean {
    return this.#failed.has(urn) || this.#failedAlone.has(urn);
  }

  /** Marks everything for rollback. */
  allFell(): void {
    this.#everything = true;
  }

  /**
   * Receives events of the machine. The domains of a task that failed, or was aborted or held with a failed one, fail.
   * Returns its resource, if any.
   */
  heard(event: ChangeEvent): Urn | undefined {
    if (event.t !== 'task') return undefined;
    const { task, from, to } = event;
    const held = to === 'hold' && from === 'do' && isTaskKind(task.kind as StepKind);
    if (to !== 'error' && to !== 'abort' && to !== 'undo' && !held) return undefined;
    for (const lane of task.lanes) {
      const domain = this.#names.get(lane);
      if (domain !== undefined) this.#failed.add(domain);
    }
    const urn = task.data['urn'];
    return typeof urn === 'string' ? (urn as Urn) : undefined;
  }

  #domainsOf(urn: Urn): readonly string[] {
    return this.#isolation === 'component' ? this.#use.domains(urn) : [this.#domain(urn)];
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
    const stored = this.#stored(urn);
    const domain = this.#domainOf(stored ?? { urn, parent: undefined, custom: true });
    this.#domains.set(urn, domain);
    return domain;
  }

  #domainOf({ urn, parent, custom }: Placed): string {
    if (isRootStackUrn(urn)) return GROUND;
    const top = parent === undefined || isRootStackUrn(parent);
    if (top && isProviderType(urnType(urn))) return GROUND;
    if (this.#isolation === 'resource') return urn;
    const inside = top ? OUTSIDE : this.#domain(parent);
    return inside === OUTSIDE && !custom ? urn : inside;
  }
}
