import type { InstanceKey, ModuleStep, StateProviderAddress } from './address.js';
import type { JsonMembers, JsonTree } from './json-tree.js';

/**
 * A state of Terraform or OpenTofu, format version 4. `more`, here and below, contains unknown members, which are
 * written after the known ones.
 */
export interface TerraformState {
  readonly terraformVersion: string;
  readonly serial: bigint;
  readonly lineage: string;
  readonly outputs: ReadonlyMap<string, StateOutput>;
  readonly resources: readonly StateResource[];
  /** Check results in their written form. Undefined if absent. */
  readonly checkResults: JsonTree | undefined;
  readonly more: JsonMembers;
}

/** An output of the root module. */
export interface StateOutput {
  readonly value: JsonTree;
  /** The type's JSON. */
  readonly type: JsonTree;
  readonly sensitive: boolean;
  readonly more: JsonMembers;
}

/** A resource of the configuration, with the instances that `count` or `for_each` creates. */
export interface StateResource {
  readonly module: readonly ModuleStep[];
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  /** `list` or `map` in states of old versions. Empty if absent. */
  readonly each: string;
  /** Provider of all instances. Undefined if each instance has its own. */
  readonly provider: StateProviderAddress | undefined;
  readonly instances: readonly StateInstance[];
  readonly more: JsonMembers;
}

/** An object. */
export interface StateInstance {
  readonly key: InstanceKey;
  /** True if the object must be replaced. */
  readonly tainted: boolean;
  /** Key of an object that remains to be deleted beside the present one. Empty for the present one. */
  readonly deposed: string;
  /** Provider of the instance. Undefined if it is the resource's. */
  readonly provider: StateProviderAddress | undefined;
  readonly schemaVersion: number;
  /** Attributes in the form of that schema version. */
  readonly attributes: JsonMembers;
  /** Paths of sensitive values. Undefined if absent, as in states of old versions. */
  readonly sensitive: readonly StatePath[] | undefined;
  readonly identity: JsonTree | undefined;
  readonly identityVersion: number | undefined;
  readonly private: Uint8Array | undefined;
  /** Addresses of resources, without the keys of their instances. */
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
  readonly more: JsonMembers;
}

/** A path into attributes: names of attributes, and keys of lists, maps and sets. */
export type StatePath = readonly StateStep[];

export type StateStep =
  { readonly attribute: string } | { readonly index: JsonTree; readonly type: JsonTree };
