import { urnName, urnType } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { OurOption, RegisterResourceRequest } from '@cairn/wire';
import type { Goal, ReadGoal } from '../model/goal.js';
import { INHERITED_OPTIONS, blankOf } from '../model/options.js';
import type { InheritedOption } from '../model/options.js';

/** What the monitor remembers of a resource for the resources and calls that come after it. */
export interface ResourceRecord extends Pick<Goal, InheritedOption> {
  readonly urn: Urn;
  readonly parent: Urn | undefined;
  readonly name: string;
  readonly type: string;
  readonly custom: boolean;
  readonly provider: ProviderReference | undefined;
  /** By package; what a component passes down. */
  readonly providers: Readonly<Record<string, ProviderReference>>;
  /** URN under which the prior entry was found, when that was an alias. */
  oldUrn: Urn | undefined;
  /** There is an object behind it, as far as this operation knows; components count as created. */
  created: boolean;
  /** Its create was left out of this run: nothing is known of it. */
  leftOut: boolean;
  /** Settles with the engine's answer; before that, `created` says nothing. Undefined: nothing is waited for. */
  settled: Promise<unknown> | undefined;
}

/** A registration that has arrived and is not answered yet. */
export interface Arrival {
  readonly request: Pick<RegisterResourceRequest, 'type' | 'name' | 'parent'>;
  /** Settles when it is answered, or has failed. */
  readonly ended: Promise<unknown>;
}

/** Resources that were registered or read in this run, by URN. */
export class RegisteredResources {
  readonly #records = new Map<Urn, ResourceRecord>();
  /** By the text of the parent in the request. */
  readonly #arrivals = new Map<string, Set<Arrival>>();
  readonly #children = new Map<Urn, ResourceRecord[]>();
  /** What the program says of components that plugins are constructing. */
  readonly #constructing = new Map<Urn, SaidOptions>();

  /** Notes what the program says of a component that a plugin is going to register for it. */
  construct(urn: Urn, said: SaidOptions): void {
    this.#constructing.set(urn, said);
  }

  /** What the program has said of a component that a plugin constructs; undefined for anything else. */
  constructing(urn: Urn): SaidOptions | undefined {
    return this.#constructing.get(urn);
  }

  get(urn: Urn): ResourceRecord | undefined {
    return this.#records.get(urn);
  }

  /** Resources right below a parent, in the order in which they were sent on. */
  children(parent: Urn): readonly ResourceRecord[] {
    return this.#children.get(parent) ?? [];
  }

  /** Registrations and reads right below a parent that are not answered yet. */
  arrivals(parent: Urn): readonly Arrival[] {
    return [...(this.#arrivals.get(parent) ?? [])];
  }

  /** Notes that a registration or read has arrived, for as long as it is worked on; gives the work back. */
  arriving<T>(request: Arrival['request'], work: Promise<T>): Promise<T> {
    if (request.parent === '') return work;
    const arrival: Arrival = { request, ended: work };
    const siblings = this.#arrivals.get(request.parent) ?? new Set();
    this.#arrivals.set(request.parent, siblings.add(arrival));
    const over = () => void siblings.delete(arrival);
    work.then(over, over);
    return work;
  }

  /** Notes a registration when it is sent on; the first of a URN stays. */
  addGoal(goal: Goal, providers: ResourceRecord['providers']): ResourceRecord {
    const { urn, name, type, custom, provider } = goal;
    return this.#add({
      urn,
      parent: goal.parent,
      name,
      type,
      custom,
      ...passedOn(goal),
      provider,
      providers,
      oldUrn: undefined,
      created: !custom,
      leftOut: false,
      settled: undefined,
    });
  }

  /** Notes a read when it is sent on. */
  addRead({ urn, parent, provider }: ReadGoal): ResourceRecord {
    return this.#add({
      urn,
      parent,
      name: urnName(urn),
      type: urnType(urn),
      custom: true,
      ...nothingPassedOn,
      provider,
      providers: {},
      oldUrn: undefined,
      created: false,
      leftOut: false,
      settled: undefined,
    });
  }

  #add(record: ResourceRecord): ResourceRecord {
    const { urn, parent } = record;
    if (this.#records.has(urn)) return record;
    this.#records.set(urn, record);
    if (parent !== undefined) {
      const siblings = this.#children.get(parent);
      if (siblings === undefined) this.#children.set(parent, [record]);
      else siblings.push(record);
    }
    return record;
  }
}

/** The options of a resource that those below it may take from it. */
function passedOn(goal: Pick<Goal, InheritedOption>): Pick<Goal, InheritedOption> {
  const passed = { ...nothingPassedOn };
  for (const name of INHERITED_OPTIONS) (passed as Record<InheritedOption, unknown>)[name] = goal[name];
  return passed;
}

const nothingPassedOn = Object.fromEntries(INHERITED_OPTIONS.map((name) => [name, blankOf(name)])) as Pick<
  Goal,
  InheritedOption
>;

/** The options of our own that a request sets. */
export type SaidOptions = Partial<Pick<RegisterResourceRequest, OurOption>>;
