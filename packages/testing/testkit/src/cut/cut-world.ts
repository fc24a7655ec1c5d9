import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { InitFailedError, ProviderError } from '@cairn/wire';
import type { CreateRequest, DeleteRequest, Monitor, ReadRequest, UpdateRequest } from '@cairn/wire';
import { ScriptedWorld } from '../fuzz/scripted-world.js';
import type { MockBehaviour } from '../provider/mock-provider.js';
import type { LiveObject, MockCall } from '../provider/mock-objects.js';
import { constructBox } from './remote-component.js';

/** Ways in which providers of a cut world help to determine the outcome of a create. `nothing` means no help. */
export type Help = 'tokens' | 'progress' | 'lookup' | 'nothing';

const HELPING: Readonly<Record<Help, Pick<MockBehaviour, 'extras' | 'progressIds'>>> = {
  tokens: { extras: { types: { '*': { idempotencyToken: {} } } } },
  progress: { extras: { types: {} }, progressIds: true },
  lookup: { extras: { types: { '*': { lookup: true, settleSeconds: 0 } } } },
  nothing: {},
};

/** All values of {@link Help}. */
export const HELPS = Object.keys(HELPING) as readonly Help[];

/** Source of the providers' answers to reads, and whether the providers announce it. */
export type Reads = NonNullable<MockBehaviour['reads']>;

/** All values of {@link Reads}. */
export const READS: readonly Reads[] = ['world', 'unsaid', 'record', 'echo'];

const PACKAGES = ['pkgA', 'pkgB'];

/** State that a fork copies. */
interface Kept {
  readonly objects: ReadonlyMap<string, LiveObject>;
  readonly works: ReadonlyMap<string, string>;
  readonly tokens: ReadonlyMap<string, string>;
  readonly flakes: ReadonlyMap<string, number>;
  readonly excused: ReadonlySet<string>;
  readonly recorded: ReadonlySet<string>;
  readonly lastId: number;
  readonly lastUuid: number;
}

/** A call that may have an effect on an object. */
interface Effecting {
  readonly method: 'create' | 'update' | 'delete';
  readonly request: CreateRequest | UpdateRequest | DeleteRequest;
}

/**
 * A world that can be copied at any instant, reports every effect, and counts live objects. More objects of one
 * resource than allowed at a time are an offence. An object that is no longer recorded does not count: it was released,
 * and the end of a test checks whether that was intended.
 *
 * Besides the scripts of a resource, its goals control the world. `broken` makes create and update `fail`, end
 * `partial`ly or get `lost` (done, without an answer). `flaky: n` makes the first n calls fail before they do anything.
 * An object with `stuck` cannot be deleted. One with `inside` is deleted together with the object of that id.
 */
export class CutWorld extends ScriptedWorld {
  /** Called after every call that may have had an effect, before the caller gets the answer. */
  onEffect: (method: string, urn: Urn) => void = () => undefined;
  /**
   * Maximum number of live objects at a time by resource. Defaults to one for other resources. Undefined for no limit,
   * while the numbers are still being determined.
   */
  limits: ReadonlyMap<Urn, number> | undefined;
  /** Maximum number of objects that existed at a time. */
  readonly most = new Map<Urn, number>();
  /** Returns the entries that the running operation has recorded. Empty while none runs. */
  recordedNow: () => readonly Pick<ResourceEntry, 'urn' | 'id'>[] = () => [];
  /** The monitor of the running program, for components of providers. */
  monitor: Monitor | undefined;
  readonly #tokens: Map<string, string>;
  readonly #flakes: Map<string, number>;
  /** Ids that have ever been recorded. */
  readonly #recorded: Set<string>;
  #lastId: number;
  #lastUuid: number;

  constructor(
    readonly help: Help,
    readonly reads: Reads = 'world',
    kept?: Kept,
  ) {
    super(PACKAGES);
    const construct: MockBehaviour['construct'] = (request) => constructBox(this.monitor, request);
    for (const pkg of PACKAGES)
      this.install(pkg, { behaviour: { ...this.behaviour(), ...HELPING[help], reads, construct } });
    for (const [id, object] of kept?.objects ?? []) this.objects.set(id, object);
    for (const [work, id] of kept?.works ?? []) this.works.set(work, id);
    for (const id of kept?.excused ?? []) this.excused.add(id);
    this.#tokens = new Map(kept?.tokens);
    this.#flakes = new Map(kept?.flakes);
    this.#recorded = new Set(kept?.recorded);
    this.#lastId = kept?.lastId ?? 0;
    this.#lastUuid = kept?.lastUuid ?? 0;
  }

  override readonly newUuid = (): string => {
    this.#lastUuid += 1;
    return `00000000-0000-4000-8000-${this.#lastUuid.toString(16).padStart(12, '0')}`;
  };

  override newId(): string {
    this.#lastId += 1;
    return `id-${this.#lastId}`;
  }

  override made(id: string, token: string | undefined): void {
    if (token !== undefined) this.#tokens.set(token, id);
  }

  override madeWith(token: string | undefined): string | undefined {
    const id = token === undefined ? undefined : this.#tokens.get(token);
    return id !== undefined && this.objects.has(id) ? id : undefined;
  }

  /** Returns a copy of the world for another operation. Changes of one are invisible in the other. */
  fork(): CutWorld {
    const { objects, works, excused } = this;
    const copy = new CutWorld(this.help, this.reads, {
      objects,
      works,
      excused,
      tokens: this.#tokens,
      flakes: this.#flakes,
      recorded: this.#recorded,
      lastId: this.#lastId,
      lastUuid: this.#lastUuid,
    });
    copy.scripts = this.scripts;
    copy.limits = this.limits;
    return copy;
  }

  /** Adds an object that was not created here. */
  seed(id: string, urn: Urn, type: string, inputs: PropertyMap): void {
    this.objects.set(id, { urn, type, inputs, outputs: inputs, settings: undefined });
  }

  /** Changes the objects of these names, as another tool would. */
  drift(names: readonly string[]): void {
    for (const [id, object] of this.#named(names))
      this.objects.set(id, { ...object, outputs: propertyMap({ ...object.outputs, drifted: true }) });
  }

  /** Deletes the objects of these names, as another tool would. */
  vanishNamed(names: readonly string[]): void {
    for (const [id] of this.#named(names)) this.vanish(id);
  }

  /** Yields before and after an effect, because calls of a real provider take time. */
  override carryOut<T>(call: MockCall, work: () => T | Promise<T>): Promise<T> {
    return super.carryOut(call, () => {
      if (call.method === 'read') this.#beforeRead(call.request as ReadRequest);
      return isEffecting(call) ? this.#effect(call, work) : work();
    });
  }

  /** Refuses a read of an object that is not ready, if the provider reads the world. */
  #beforeRead({ id }: ReadRequest): void {
    if (this.reads === 'record' || this.reads === 'echo') return;
    const object = this.objects.get(id);
    if (object?.inputs['broken'] === 'partial') throw notReady(id, object.outputs, object.inputs);
  }

  async #effect<T>({ method, request }: Effecting, work: () => T | Promise<T>): Promise<T> {
    const { urn } = request;
    const goal = method === 'delete' ? undefined : goalOf(request);
    await nextTurn();
    if (method === 'delete') this.#refuseStuck((request as DeleteRequest).id);
    if (goal?.['broken'] === 'fail' || this.#isFlaky(urn, goal))
      throw new ProviderError('INVALID_ARGUMENT', `the world refuses ${method}`);
    let answer: T;
    try {
      answer = await work();
    } finally {
      if (method === 'delete') this.#removeInside();
      this.#count(urn);
      this.onEffect(method, urn);
      await nextTurn();
    }
    if (goal?.['broken'] === 'lost') throw new ProviderError('INTERNAL', `the answer to ${method} is lost`);
    if (goal?.['broken'] === 'partial') throw notReady('id' in request ? request.id : idIn(answer), goal);
    return answer;
  }

  #refuseStuck(id: string): void {
    if (this.objects.get(id)?.inputs['stuck'] === true)
      throw new ProviderError('INVALID_ARGUMENT', 'the world refuses delete');
  }

  #isFlaky(urn: Urn, goal: PropertyMap | undefined): boolean {
    const seen = this.#flakes.get(urn) ?? 0;
    if (typeof goal?.['flaky'] !== 'number' || seen >= goal['flaky']) return false;
    this.#flakes.set(urn, seen + 1);
    return true;
  }

  /** Records the current entries. Returns the ids by resource. */
  noteRecorded(): ReadonlyMap<string, Urn> {
    const now = new Map(this.recordedNow().map(({ id, urn }) => [id, urn] as const));
    for (const id of now.keys()) this.#recorded.add(id);
    return now;
  }

  /**
   * Checks the number of objects. The limit also counts objects that the engine believes to exist. A replacement that
   * was created first is undone with the original first, regardless of outside changes to the one before it.
   */
  #count(urn: Urn): void {
    const now = this.noteRecorded();
    const counts = (id: string): boolean => now.has(id) || !this.#recorded.has(id);
    const there = [...this.objects].filter(([id, object]) => object.urn === urn && counts(id));
    const live = there.length;
    const taken = new Set([...there, ...[...now].filter(([, each]) => each === urn)].map(([id]) => id));
    this.most.set(urn, Math.max(taken.size, this.most.get(urn) ?? 0));
    const limit = this.limits === undefined ? live : Math.max(1, this.limits.get(urn) ?? 1);
    if (live > limit)
      this.offences.push(`${live} live objects of ${urnName(urn)}, where there may be ${limit}`);
  }

  /** Deletes the objects inside a deleted object. */
  #removeInside(): void {
    for (const [id, { inputs }] of [...this.objects]) {
      const around = inputs['inside'];
      if (typeof around === 'string' && !this.objects.has(around)) this.objects.delete(id);
    }
  }

  #named(names: readonly string[]): readonly (readonly [string, LiveObject])[] {
    return [...this.objects].filter(([, { urn }]) => names.includes(urnName(urn)));
  }
}

function isEffecting(call: MockCall): call is MockCall & Effecting {
  const { method, request } = call;
  if (method === 'delete') return true;
  return (method === 'create' || method === 'update') && !(request as CreateRequest | UpdateRequest).preview;
}

function goalOf(request: Effecting['request']): PropertyMap | undefined {
  return 'news' in request ? request.news : 'inputs' in request ? request.inputs : undefined;
}

function idIn(answer: unknown): string {
  return (answer as { readonly id: string }).id;
}

function notReady(id: string, outputs: PropertyMap, inputs?: PropertyMap): InitFailedError {
  return new InitFailedError(id, outputs, inputs, ['it is not ready'], false, 'the object is not ready');
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
