import type { SourcePosition } from '@cairn/wire';
import type { Registered, ResourceState } from './state.js';
import type { AnyResource } from './state.js';

const NO_PROVIDERS: ReadonlyMap<string, AnyResource> = new Map();

/** Parts of a new {@link ResourceNode}. */
interface NodeSpec {
  readonly kind: ResourceState['kind'];
  readonly type: string;
  readonly name: string;
  readonly parent: ResourceState | undefined;
  readonly providers?: ReadonlyMap<string, AnyResource> | undefined;
  readonly position?: SourcePosition | undefined;
  readonly secretOutputs?: readonly string[] | undefined;
}

/** The state behind one resource object. `registration` is set right after construction. */
export class ResourceNode implements ResourceState {
  readonly kind: ResourceState['kind'];
  readonly type: string;
  readonly name: string;
  readonly parent: ResourceState | undefined;
  readonly providers: ReadonlyMap<string, AnyResource>;
  readonly position: SourcePosition | undefined;
  readonly secretOutputs: readonly string[] | undefined;
  #ownChildren: Set<AnyResource> | undefined;
  /** Created on the first request for it. */
  #registration: Promise<Registered> | undefined;
  #settle: Settle | undefined;
  #waiting: AfterParent[] | undefined;
  #isStarted = false;
  #failure: { readonly reason: unknown } | undefined;
  done: Registered | undefined;

  constructor(spec: NodeSpec) {
    this.kind = spec.kind;
    this.type = spec.type;
    this.name = spec.name;
    this.parent = spec.parent;
    this.providers = spec.providers ?? spec.parent?.providers ?? NO_PROVIDERS;
    this.position = spec.position;
    this.secretOutputs = spec.secretOutputs;
  }

  get children(): Set<AnyResource> {
    return (this.#ownChildren ??= new Set());
  }

  registered(): Promise<Registered> {
    if (!this.#isStarted) throw new Error(`${this.name} is used before its registration was started`);
    return (this.#registration ??= new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure.reason as Error);
      else if (this.done !== undefined) resolve(this.done);
      else this.#settle = { resolve, reject };
    }));
  }

  /** Marks the registration as begun. {@link end} or {@link fail} follows. */
  open(): void {
    this.#isStarted = true;
  }

  /** Starts the registration. Those who wait for it handle its failure; the caller reports it. */
  start(registration: Promise<Registered>): void {
    this.open();
    registration.then(
      (registered) => this.end(registered),
      (reason: unknown) => this.fail(reason),
    );
  }

  /** Runs `next` after the registration, or fails it. Does so at once if the registration is over. */
  before(next: AfterParent): void {
    if (this.#failure !== undefined) next.fail(this.#failure.reason);
    else if (this.done !== undefined) next.run();
    else (this.#waiting ??= []).push(next);
  }

  /** Receives the engine's answer. */
  end(registered: Registered): void {
    if (this.#failure !== undefined) return;
    this.done = registered;
    const [settle, waiting] = [this.#settle, this.#waiting ?? []];
    this.#settle = this.#waiting = undefined;
    settle?.resolve(registered);
    for (const next of waiting) next.run();
  }

  /** Fails everything that waits for the answer, if there is none yet. */
  fail(reason: unknown): void {
    if (this.#failure !== undefined || this.done !== undefined) return;
    this.#failure = { reason };
    const [settle, waiting] = [this.#settle, this.#waiting ?? []];
    this.#settle = this.#waiting = undefined;
    settle?.reject(reason);
    for (const next of waiting) next.fail(reason);
  }
}

interface Settle {
  readonly resolve: (registered: Registered) => void;
  readonly reject: (reason: unknown) => void;
}

/** Work that waits for the registration of its parent. */
export interface AfterParent {
  run(): void;
  fail(reason: unknown): void;
}
