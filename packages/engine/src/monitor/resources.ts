import { urnName, urnType } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { Goal, ReadGoal } from './registration.js';

/** What the monitor remembers of a resource for the resources and calls that come after it. */
export interface ResourceRecord {
  readonly urn: Urn;
  readonly name: string;
  readonly type: string;
  readonly custom: boolean;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly deletedWith: Urn | undefined;
  readonly provider: ProviderReference | undefined;
  /** By package; what a component passes down. */
  readonly providers: Readonly<Record<string, ProviderReference>>;
  /** URN under which the prior entry was found, when that was an alias. */
  oldUrn: Urn | undefined;
  /** There is an object behind it, as far as this operation knows; components count as created. */
  created: boolean;
}

/** Resources that were registered or read in this run, by URN. */
export class RegisteredResources {
  readonly #records = new Map<Urn, ResourceRecord>();

  get(urn: Urn): ResourceRecord | undefined {
    return this.#records.get(urn);
  }

  /** Notes a registration when it is sent on; the first of a URN stays. */
  addGoal(goal: Goal, providers: ResourceRecord['providers']): ResourceRecord {
    const { urn, name, type, custom, protect, retainOnDelete, deletedWith, provider } = goal;
    return this.#add({
      urn,
      name,
      type,
      custom,
      protect,
      retainOnDelete,
      deletedWith,
      provider,
      providers,
      oldUrn: undefined,
      created: !custom,
    });
  }

  /** Notes a read when it is sent on. */
  addRead({ urn, provider }: ReadGoal): ResourceRecord {
    return this.#add({
      urn,
      name: urnName(urn),
      type: urnType(urn),
      custom: true,
      protect: false,
      retainOnDelete: false,
      deletedWith: undefined,
      provider,
      providers: {},
      oldUrn: undefined,
      created: false,
    });
  }

  #add(record: ResourceRecord): ResourceRecord {
    const known = this.#records.get(record.urn);
    if (known !== undefined) return record;
    this.#records.set(record.urn, record);
    return record;
  }
}
