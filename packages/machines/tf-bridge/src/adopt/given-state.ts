import { equal, isArray, isMap, isSecret, kindOf } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { JsonNumber } from '../state-file/json-tree.js';
import type { JsonTree } from '../state-file/json-tree.js';
import type { StateOutput, TerraformState } from '../state-file/model.js';
import { givenResources } from './given-objects.js';
import type { GivenObject, GivenResources } from './given-objects.js';
import { isAdopted, stateOutputs } from './state-content.js';

/** A stack to convert to a state. */
interface GivenStack {
  readonly objects: readonly GivenObject[];
  readonly outputs: PropertyMap;
  readonly terraformVersion: string;
  readonly lineage: string;
  readonly serial: bigint;
  /** The adopted state. It supplies the parts that stacks do not have. */
  readonly base: TerraformState | undefined;
}

/** A state, with the messages of the conversion. */
export interface GivenState extends Omit<GivenResources, 'resources'> {
  readonly state: TerraformState;
}

/**
 * Converts a stack to a state [TFF-6]. The adopted state supplies data sources, objects that Terraform itself manages,
 * results of checks, and the types of unchanged outputs.
 */
export function givenState(stack: GivenStack): GivenState {
  const { objects, outputs, terraformVersion, lineage, serial, base } = stack;
  const { resources, addresses, leftOut } = givenResources(objects);
  const kept = (base?.resources ?? []).filter((resource) => !isAdopted(resource));
  const known = base === undefined ? {} : stateOutputs(base);
  const told: string[] = [];
  const made = new Map<string, StateOutput>();
  for (const name of Object.keys(outputs)) {
    const value = outputs[name] as PropertyValue;
    const before = base?.outputs.get(name);
    const output = before !== undefined && equal(known[name] ?? null, value) ? before : outputOf(value);
    if (output === undefined) told.push(`output ${name}: Terraform has no such type of value`);
    else made.set(name, output);
  }
  const state: TerraformState = {
    ...{ terraformVersion, serial, lineage, outputs: made },
    resources: [...kept, ...resources],
    checkResults: base === undefined ? null : base.checkResults,
    more: base?.more ?? new Map(),
  };
  return { state, addresses, leftOut: [...leftOut, ...told] };
}

function outputOf(given: PropertyValue): StateOutput | undefined {
  const found = typed(given);
  return found && { ...found, sensitive: hasSecret(given), more: new Map() };
}

interface Typed {
  readonly value: JsonTree;
  readonly type: JsonTree;
}

/** Returns a value with the type that Terraform infers from its form. */
function typed(given: PropertyValue): Typed | undefined {
  if (isSecret(given)) return typed(given.value);
  if (given === null) return { value: null, type: 'dynamic' };
  if (typeof given === 'string') return { value: given, type: 'string' };
  if (typeof given === 'boolean') return { value: given, type: 'bool' };
  if (typeof given === 'number')
    return Number.isFinite(given) ? { value: new JsonNumber(String(given)), type: 'number' } : undefined;
  if (isArray(given)) {
    const items = allOf(given.map(typed));
    return (
      items && { value: items.map(({ value }) => value), type: ['tuple', items.map(({ type }) => type)] }
    );
  }
  if (kindOf(given) !== 'object' || !isMap(given)) return undefined;
  const keys = Object.keys(given).sort();
  const items = allOf(keys.map((key) => typed(given[key] as PropertyValue)));
  const named = (pick: (each: Typed) => JsonTree) =>
    new Map((items ?? []).map((each, at) => [keys[at] as string, pick(each)]));
  return items && { value: named(({ value }) => value), type: ['object', named(({ type }) => type)] };
}

function allOf(items: readonly (Typed | undefined)[]): readonly Typed[] | undefined {
  return items.some((each) => each === undefined) ? undefined : (items as readonly Typed[]);
}

function hasSecret(given: PropertyValue): boolean {
  if (isSecret(given)) return true;
  if (isArray(given)) return given.some(hasSecret);
  return isMap(given) && Object.values(given).some((each) => hasSecret(each));
}
