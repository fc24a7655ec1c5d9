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

/** How providers of a cut world help to find out what became of a create. `nothing`: they do not. */
export type Help = 'tokens' | 'progress' | 'lookup' | 'nothing';

const HELPING: Readonly<Record<Help, Pick<MockBehaviour, 'extras' | 'progressIds'>>> = {
  tokens: { extras: { types: { '*': { idempotencyToken: {} } } } },
  progress: { extras: { types: {} }, progressIds: true },
  lookup: { extras: { types: { '*': { lookup: true, settleSeconds: 0 } } } },
  nothing: {},
};

/** Every {@link Help}. */
export const HELPS = Object.keys(HELPING) as readonly Help[];

/** Where answers of its providers to reads come from, and whether they say so. */
export type Reads = NonNullable<MockBehaviour['reads']>;

/** Every {@link Reads}. */
export const READS: readonly Reads[] = ['world', 'unsaid', 'record', 'echo'];

const PACKAGES = ['pkgA', 'pkgB'];

/** What a fork takes over. */
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
 * A world that can be copied at any instant, tells of every effect, and counts live objects: more of one resource than
 * there may be at a time is an offence. An object that was recorded and is so no more does not count: it was let go of,
 * and whether that was on purpose is looked at in the end. Besides the scripts of a resource, goals steer it: `broken`
 * makes create and update `fail`, end `partial`ly or get `lost` (done, without an answer); `flaky: n` makes the first n
 * calls fail before they do anything; an object with `stuck` cannot be deleted; one with `inside` goes together with
 * the object of that id.
 */
export class CutWorld extends ScriptedWorld {
  /** Told after every call that may have had an effect, before the caller hears of it. */
  onEffect: (method: string, urn: Urn) => void = () => undefined;
  /**
   * Live objects at a time by resource, for others: one. Undefined: as many as there are, while that is still to be
   * found out.
   */
  limits: ReadonlyMap<Urn, number> | undefined;
  /** The most there were at a time. */
  readonly most = new Map<Urn, number>();
  /** What the running operation has recorded; while none runs, nothing is known. */
  recordedNow: () => readonly Pick<ResourceEntry, 'urn' | 'id'>[] = () => [];
  /** The monitor of the running program, for components of providers. */
  monitor: Monitor | undefined;
  readonly #tokens: Map<string, string>;
  readonly #flakes: Map<string, number>;
  /** Ids that were recorded at some time. */
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

  /** The world as it is now, for somebody else to go on with. Nothing of either is seen in the other. */
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

  /** An object that exists although nobody has made it here. */
  seed(id: string, urn: Urn, type: string, inputs: PropertyMap): void {
    this.objects.set(id, { urn, type, inputs, outputs: inputs, settings: undefined });
  }

  /** Somebody else changes the objects of these names. */
  drift(names: readonly string[]): void {
    for (const [id, object] of this.#named(names))
      this.objects.set(id, { ...object, outputs: propertyMap({ ...object.outputs, drifted: true }) });
  }

  /** Somebody else deletes the objects of these names. */
  vanishNamed(names: readonly string[]): void {
    for (const [id] of this.#named(names)) this.vanish(id);
  }

  /** Calls of a real provider take time: others get their turn before and after an effect. */
  override carryOut<T>(call: MockCall, work: () => T | Promise<T>): Promise<T> {
    return super.carryOut(call, () => {
      if (call.method === 'read') this.#beforeRead(call.request as ReadRequest);
      return isEffecting(call) ? this.#effect(call, work) : work();
    });
  }

  /** An object that is not ready is found not ready, by who looks. */
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

  /** Looks at what is recorded now. Returns the ids by resource. */
  noteRecorded(): ReadonlyMap<string, Urn> {
    const now = new Map(this.recordedNow().map(({ id, urn }) => [id, urn] as const));
    for (const id of now.keys()) this.#recorded.add(id);
    return now;
  }

  /**
   * How many there may be is also how many the engine takes to be there: a replacement that comes first is undone
   * with the original first, whatever others did to the one before it.
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

  /** What was inside an object that is gone goes with it. */
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
