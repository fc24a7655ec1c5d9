import { urnName, urnType } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { OurOption, RegisterResourceRequest } from '@cairn/wire';
import type { Goal, ReadGoal } from '../model/goal.js';
import { INHERITED_OPTIONS, blankOf } from '../model/options.js';
import type { InheritedOption } from '../model/options.js';

/** Record of a resource, which the monitor keeps for the resources and calls that come after it. */
export interface ResourceRecord extends Pick<Goal, InheritedOption> {
  readonly urn: Urn;
  readonly parent: Urn | undefined;
  readonly name: string;
  readonly type: string;
  readonly custom: boolean;
  readonly provider: ProviderReference | undefined;
  /** Providers by package that a component passes down. */
  readonly providers: Readonly<Record<string, ProviderReference>>;
  /** URN under which the prior entry was found, if that was an alias. */
  oldUrn: Urn | undefined;
  /** True if this operation knows that an object exists. Components count as created. */
  created: boolean;
  /** True if its create was left out of this run: nothing is known of it. */
  leftOut: boolean;
  /**
   * Settles with the engine's answer; until then, `created` says nothing. Undefined if there is nothing to wait for.
   */
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
  /** Arrivals by the text of the parent in the request. */
  readonly #arrivals = new Map<string, Set<Arrival>>();
  readonly #children = new Map<Urn, ResourceRecord[]>();
  /** Options that the program sets on components that plugins are constructing. */
  readonly #constructing = new Map<Urn, SaidOptions>();

  /** Records the options that the program sets on a component that a plugin is going to register for it. */
  construct(urn: Urn, said: SaidOptions): void {
    this.#constructing.set(urn, said);
  }

  /**
   * Returns the options that the program set on a component that a plugin constructs, and `undefined` for anything
   * else.
   */
  constructing(urn: Urn): SaidOptions | undefined {
    return this.#constructing.get(urn);
  }

  get(urn: Urn): ResourceRecord | undefined {
    return this.#records.get(urn);
  }

  /** Returns the resources directly below a parent, in the order in which they were posted. */
  children(parent: Urn): readonly ResourceRecord[] {
    return this.#children.get(parent) ?? [];
  }

  /** Returns the registrations and reads directly below a parent that are not answered yet. */
  arrivals(parent: Urn): readonly Arrival[] {
    return [...(this.#arrivals.get(parent) ?? [])];
  }

  /** Records that a registration or read has arrived, until its work ends. Returns the work. */
  arriving<T>(request: Arrival['request'], work: Promise<T>): Promise<T> {
    if (request.parent === '') return work;
    const arrival: Arrival = { request, ended: work };
    const siblings = this.#arrivals.get(request.parent) ?? new Set();
    this.#arrivals.set(request.parent, siblings.add(arrival));
    const over = () => void siblings.delete(arrival);
    work.then(over, over);
    return work;
  }

  /** Records a registration when it is posted. The first of a URN remains. */
  addGoal(goal: Goal, providers: ResourceRecord['providers']): ResourceRecord {
    const { urn, parent, name, type, custom, provider } = goal;
    const record = { ...blank, urn, parent, name, type, custom, provider, providers, created: !custom };
    for (let at = 0; at < INHERITED_OPTIONS.length; at++) {
      const option = INHERITED_OPTIONS[at] as InheritedOption;
      (record as Record<InheritedOption, unknown>)[option] = goal[option];
    }
    return this.#add(record);
  }

  /** Records a read when it is posted. */
  addRead({ urn, parent, provider }: ReadGoal): ResourceRecord {
    const [name, type] = [urnName(urn), urnType(urn)];
    return this.#add({ ...blank, urn, parent, name, type, custom: true, provider });
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

/** Template of records, with every field: V8 copies it at once. */
const blank: ResourceRecord = {
  urn: '' as Urn,
  parent: undefined,
  name: '',
  type: '',
  custom: false,
  ...(Object.fromEntries(INHERITED_OPTIONS.map((name) => [name, blankOf(name)])) as Pick<
    Goal,
    InheritedOption
  >),
  provider: undefined,
  providers: {},
  oldUrn: undefined,
  created: false,
  leftOut: false,
  settled: undefined,
};

/** Options of our own that a request sets. */
export type SaidOptions = Partial<Pick<RegisterResourceRequest, OurOption>>;
