import type { InstanceKey, ModuleStep, ProviderAddress } from './address.js';
import type { JsonMembers, JsonTree } from './json-tree.js';

/**
 * A state of Terraform or OpenTofu, format version 4. `more`, here and below: members that we do not know, written
 * again after those that we do.
 */
export interface TerraformState {
  readonly terraformVersion: string;
  readonly serial: bigint;
  readonly lineage: string;
  readonly outputs: ReadonlyMap<string, StateOutput>;
  readonly resources: readonly StateResource[];
  /** As it was written; undefined: absent. */
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

/** A resource of the configuration, with the instances that `count` or `for_each` makes of it. */
export interface StateResource {
  readonly module: readonly ModuleStep[];
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  /** `list` or `map` in states of old versions; empty: absent. */
  readonly each: string;
  /** Undefined where each instance has its own. */
  readonly provider: ProviderAddress | undefined;
  readonly instances: readonly StateInstance[];
  readonly more: JsonMembers;
}

/** An object. */
export interface StateInstance {
  readonly key: InstanceKey;
  /** The object is to be replaced. */
  readonly tainted: boolean;
  /** Of an object that is to be deleted, beside the one that has its place; empty: the present one. */
  readonly deposed: string;
  /** Undefined: that of the resource. */
  readonly provider: ProviderAddress | undefined;
  readonly schemaVersion: number;
  /** As the schema of that version lays them out. */
  readonly attributes: JsonMembers;
  /** Undefined: absent, as in states of old versions. */
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
