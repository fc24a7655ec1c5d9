import type { SourcePosition } from '@cairn/wire';
import type { Registered, ResourceState } from './state.js';
import type { AnyResource } from './state.js';

const NO_PROVIDERS: ReadonlyMap<string, AnyResource> = new Map();

/** What a new {@link ResourceNode} is made of. */
export interface NodeSpec {
  readonly kind: ResourceState['kind'];
  readonly type: string;
  readonly name: string;
  readonly parent: ResourceState | undefined;
  readonly providers?: ReadonlyMap<string, AnyResource> | undefined;
  readonly position?: SourcePosition | undefined;
  readonly secretOutputs?: readonly string[] | undefined;
}

/** The state behind one resource object; `registration` is set right after it was made. */
export class ResourceNode implements ResourceState {
  readonly kind: ResourceState['kind'];
  readonly type: string;
  readonly name: string;
  readonly parent: ResourceState | undefined;
  readonly providers: ReadonlyMap<string, AnyResource>;
  readonly position: SourcePosition | undefined;
  readonly secretOutputs: readonly string[] | undefined;
  private ownChildren: Set<AnyResource> | undefined;
  private registration: Promise<Registered> | undefined;
  /** Fails the registration from outside, while it is under way. */
  private giveUp: ((reason: unknown) => void) | undefined;
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
    return (this.ownChildren ??= new Set());
  }

  registered(): Promise<Registered> {
    if (this.registration === undefined)
      throw new Error(`${this.name} is used before its registration was started`);
    return this.registration;
  }

  /** Starts the registration. Its failure is the business of those who wait for it; the caller reports it. */
  start(registration: Promise<Registered>): void {
    this.registration = new Promise((resolve, reject) => {
      this.giveUp = reject;
      registration.then((registered) => {
        this.giveUp = undefined;
        resolve((this.done = registered));
      }, reject);
    });
  }

  /** Fails the registration for those who wait for it, if it is still under way. */
  abandon(reason: unknown): void {
    this.giveUp?.(reason);
    this.giveUp = undefined;
  }
}
