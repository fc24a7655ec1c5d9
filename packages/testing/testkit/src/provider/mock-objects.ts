import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { PropertyMap } from '@cairn/values';
import type { LookupRequest, LookupResponse, PluginSpec, Provider } from '@cairn/wire';
import { sequentialIds } from '../world/clock.js';

/** A gate that a test opens. A call that waits at it is known to be under way, without any timer. */
interface Gate {
  /** Resolves when a call has arrived at the gate. */
  readonly reached: Promise<void>;
  /** Opens the gate for waiting and later calls. */
  open(): void;
  /** Waits until the gate is open. For the side that waits. */
  pass(): Promise<void>;
}

/** Returns a closed gate. */
export function gate(): Gate {
  let arrive: () => void = () => {};
  let open: () => void = () => {};
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    reached,
    open: () => open(),
    pass: () => {
      arrive();
      return opened;
    },
  };
}

/** Methods of a provider that a test may watch, change, fail or block. */
export type MockMethod = Exclude<keyof Provider, 'close' | 'cancel' | 'attach'>;

/** One call that reached a mock provider. */
export interface MockCall {
  readonly method: string;
  /** Name of the resource, or token of the function. Empty for other calls. */
  readonly name: string;
  readonly instance: MockInstance;
  readonly request: unknown;
}

/** One started plugin. */
export interface MockInstance {
  readonly package: string;
  readonly version: string;
  readonly spec: PluginSpec;
  /** Settings of the instance. Undefined until it is configured. A second configuration is refused. */
  settings: PropertyMap | undefined;
  /** Id under which it was configured. */
  id: string;
  closed: boolean;
  cancelled: boolean;
}

/** One object that exists outside. */
export interface LiveObject {
  readonly urn: Urn;
  readonly type: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  /** Settings of the instance that created it. */
  readonly settings: PropertyMap | undefined;
}

interface Interference {
  readonly method: string;
  readonly name: string;
  readonly gate: Gate | undefined;
  readonly error: Error | undefined;
  readonly effectFirst: boolean;
}

/**
 * The outside of a stack in memory: objects by id, started plugins, every call in order. Ids are `id-1`, `id-2`, … in
 * order of creation. The test sets failures and gates, each for one call.
 */
export class MockObjects {
  readonly objects = new Map<string, LiveObject>();
  readonly calls: MockCall[] = [];
  readonly instances: MockInstance[] = [];
  /** Generates new ids of the engine's own, over all operations against this world. */
  readonly newUuid = sequentialIds();
  /** Called before each call with its number in the order of all calls. */
  onCall: (count: number) => void = () => undefined;
  /** Ids of objects that are being created, by the provider's id of the work: `op-1`, … */
  readonly works = new Map<string, string>();
  /** Ids of objects by the token of their create. */
  readonly #tokens = new Map<string, string>();
  /** Number of lookups of each object. */
  readonly #looks = new Map<string, number>();
  #interferences: Interference[] = [];
  #ids = 0;

  /** Returns a new id of an object. */
  newId(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }

  /** Records that the object `id` is being created; returns the id of the work. */
  begin(id: string): string {
    const work = `op-${this.works.size + 1}`;
    this.works.set(work, id);
    return work;
  }

  /** Records that an object was created, perhaps with a token. */
  made(id: string, token: string | undefined): void {
    if (token !== undefined) this.#tokens.set(token, id);
  }

  /** Returns the object that was created with the token and still exists. */
  madeWith(token: string | undefined): string | undefined {
    const id = token === undefined ? undefined : this.#tokens.get(token);
    return id !== undefined && this.objects.has(id) ? id : undefined;
  }

  /** Returns objects of the URN. The first `early` lookups of each object do not find it. */
  lookUp({ urn }: LookupRequest, early: number): LookupResponse {
    const found: { id: string }[] = [];
    for (const [id, object] of this.objects) {
      if (object.urn !== urn) continue;
      const looks = (this.#looks.get(id) ?? 0) + 1;
      this.#looks.set(id, looks);
      if (looks > early) found.push({ id });
    }
    return { found };
  }

  /**
   * Makes the next call of a method for a name fail. With `effectFirst`, it fails after its work is done, as if the
   * answer were lost.
   */
  failNext(
    method: MockMethod,
    name: string,
    error: Error,
    options: { readonly effectFirst?: boolean } = {},
  ): void {
    const effectFirst = options.effectFirst === true;
    this.#interferences.push({ method, name, gate: undefined, error, effectFirst });
  }

  /**
   * Makes the next call of a method for a name wait at the gate. With `effectFirst`, it waits after its work is done,
   * before it answers.
   */
  holdNext(method: MockMethod, name: string, options: { readonly effectFirst?: boolean } = {}): Gate {
    const held = gate();
    const effectFirst = options.effectFirst === true;
    this.#interferences.push({ method, name, gate: held, error: undefined, effectFirst });
    return held;
  }

  /** Returns calls so far, as `method name`: those of the given methods, or all. */
  called(...methods: readonly MockMethod[]): readonly string[] {
    const wanted = new Set<string>(methods);
    return this.calls
      .filter(({ method }) => wanted.size === 0 || wanted.has(method))
      .map(({ method, name }) => (name === '' ? method : `${method} ${name}`));
  }

  /** Forgets the calls so far. */
  forgetCalls(): void {
    this.calls.length = 0;
  }

  /** Names of the existing objects, sorted. */
  get alive(): readonly string[] {
    return [...this.objects.values()].map(({ urn }) => urnName(urn)).sort();
  }

  /** Executes one call of a mock: records it, and blocks or fails it if a test wants that. */
  async carryOut<T>(call: MockCall, work: () => T | Promise<T>): Promise<T> {
    this.calls.push(call);
    this.onCall(this.calls.length);
    const interferences = this.#take(call);
    for (const { gate: held, effectFirst } of interferences) if (!effectFirst) await held?.pass();
    const early = interferences.find(({ error, effectFirst }) => error !== undefined && !effectFirst);
    if (early?.error !== undefined) throw early.error;
    const result = await work();
    for (const { gate: held, effectFirst } of interferences) if (effectFirst) await held?.pass();
    const late = interferences.find(({ error }) => error !== undefined);
    if (late?.error !== undefined) throw late.error;
    return result;
  }

  #take({ method, name }: MockCall): readonly Interference[] {
    const matches = (one: Interference) => one.method === method && one.name === name;
    const taken = this.#interferences.filter(matches);
    this.#interferences = this.#interferences.filter((one) => !matches(one));
    return taken;
  }
}
