import type { Urn } from '@cairn/addresses';
import type { PropertyMap } from '@cairn/values';
import type { SourcePosition } from '@cairn/wire';

/** Key of a resource's state. Identifies resources of any copy of this package. */
export const STATE = Symbol.for('cairn.sdk.resource');

/** Distinguishes providers from other resources, for types: `provider` accepts nothing else. */
export const PROVIDER = Symbol.for('cairn.sdk.provider');

/** A resource object, of any copy of this package. Options, outputs and states refer to this type. */
export interface AnyResource {
  readonly [STATE]: ResourceState;
}

/** Tells whether a value is a resource, of any copy of this package. */
export function isResource(value: unknown): value is AnyResource {
  return typeof value === 'object' && value !== null && STATE in value;
}

/** State of a resource as of the engine's answer. */
export interface Registered {
  readonly urn: Urn;
  /** Undefined if the resource has no id, or if it is unknown. */
  readonly id: string | undefined;
  /** Outputs of the answer. In an update, also the inputs that the answer lacks. */
  readonly outputs: PropertyMap;
  /** Dependencies by output key, for remote components. */
  readonly outputDependencies: Readonly<Record<string, readonly Urn[]>>;
  /** True if missing outputs are unknown rather than absent. */
  readonly missingAreUnknown: boolean;
}

/** The state behind a resource object. */
export interface ResourceState {
  readonly kind: 'custom' | 'component' | 'remote' | 'stack';
  readonly type: string;
  readonly name: string;
  /** Undefined for the stack only. */
  readonly parent: ResourceState | undefined;
  /** Providers that this resource and its children use, by package. Shared with the parent if nothing was added. */
  readonly providers: ReadonlyMap<string, AnyResource>;
  /** Children of a component. A dependency on it includes them. */
  readonly children: Set<AnyResource>;
  readonly position: SourcePosition | undefined;
  /** Outputs that are secret even while they are unknown. */
  readonly secretOutputs?: readonly string[] | undefined;
  /** Returns the engine's answer; rejects if there will be none. Waiting costs nothing after the answer has arrived. */
  registered(): Promise<Registered>;
  /** The answer, if it has arrived. */
  done: Registered | undefined;
}

/** The stack itself: a parent, but no object of a program. */
export type StackResource = ResourceState & { readonly kind: 'stack' };

/** Returns the name of a resource in messages. */
export function label(state: { readonly name: string; readonly type: string }): string {
  return `${state.name} [${state.type}]`;
}
