import type { Urn } from '@cairn/addresses';
import type { PropertyMap } from '@cairn/values';
import type { SourcePosition } from '@cairn/wire';

/** Where a resource keeps its state; also what tells resources of any copy of this package. */
export const STATE = Symbol.for('cairn.sdk.resource');

/** What tells providers from other resources, for types: `provider` takes nothing else. */
export const PROVIDER = Symbol.for('cairn.sdk.provider');

/** A resource object, of any copy of this package: what options, outputs and states refer to. */
export interface AnyResource {
  readonly [STATE]: ResourceState;
}

/** Whether a value is a resource, of any copy of this package. */
export function isResource(value: unknown): value is AnyResource {
  return typeof value === 'object' && value !== null && STATE in value;
}

/** What is known of a resource once the engine has answered. */
export interface Registered {
  readonly urn: Urn;
  /** Undefined: has none, or not known yet. */
  readonly id: string | undefined;
  /** Outputs of the answer; in an update also the inputs that the answer lacks. */
  readonly outputs: PropertyMap;
  /** By output key, for remote components. */
  readonly outputDependencies: Readonly<Record<string, readonly Urn[]>>;
  /** Outputs that are missing are not known yet, rather than absent. */
  readonly missingAreUnknown: boolean;
}

/** What stands behind a resource object. */
export interface ResourceState {
  readonly kind: 'custom' | 'component' | 'remote' | 'stack';
  readonly type: string;
  readonly name: string;
  /** Undefined for the stack only. */
  readonly parent: ResourceState | undefined;
  /** Providers that this resource and its children use, by package. Shared with the parent when nothing was added. */
  readonly providers: ReadonlyMap<string, AnyResource>;
  /** Children of a component, for those who depend on it. */
  readonly children: Set<AnyResource>;
  readonly position: SourcePosition | undefined;
  /** Outputs that are secret also when nothing is known of them yet. */
  readonly secretOutputs?: readonly string[] | undefined;
  /** The engine's answer; rejects when there will be none. Waiting is free once it is there. */
  registered(): Promise<Registered>;
  /** The answer if it is there. */
  done: Registered | undefined;
}

/** The stack itself, which is a parent but nothing a program holds. */
export type StackResource = ResourceState & { readonly kind: 'stack' };

/** How messages name a resource. */
export function label(state: { readonly name: string; readonly type: string }): string {
  return `${state.name} [${state.type}]`;
}
