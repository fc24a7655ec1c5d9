import { isArray, isMap, isUnknown, propertyMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { pclError } from '../pcl-error.js';
import { evaluate, scopeWith } from '../evaluate/evaluate.js';
import type { Scope } from '../evaluate/evaluate.js';
import { bare } from '../evaluate/lift.js';
import type { SnippetCode } from './parse-snippet.js';

/** One resource that the code makes. */
interface Instance {
  /** Suffix of the snippet's name; empty without a range. */
  readonly suffix: string;
  /** Scope in which its attributes and options are computed. */
  readonly scope: Scope;
}

/**
 * Returns the resources that the code makes: one without a range. A `range` of a number or a list makes one per index,
 * of an object one per key, of a boolean one or none. In their attributes `range.value` and `range.key` are the item.
 */
export async function instancesOf({ options }: SnippetCode, scope: Scope): Promise<readonly Instance[]> {
  const range = options.get('range');
  if (range === undefined) return [{ suffix: '', scope }];
  const value = bare(await evaluate(range.value, scope));
  if (isUnknown(value)) throw pclError('the range of a resource must be known', range.at);
  if (typeof value === 'boolean') return value ? [{ suffix: '', scope }] : [];
  return pairs(value, range.at).map(([key, item]) => ({
    suffix: `-${key}`,
    scope: scopeWith(scope, { range: propertyMap({ key, value: item }) }),
  }));
}

function pairs(
  value: PropertyValue,
  at: Parameters<typeof pclError>[1],
): readonly (readonly [string | number, PropertyValue])[] {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0)
    return Array.from({ length: value }, (_, index) => [index, index] as const);
  if (isArray(value)) return value.map((item, index) => [index, item] as const);
  if (isMap(value)) return Object.entries(value);
  throw pclError('the range of a resource must be a number, a list, an object or a boolean', at);
}

/** Returns the inputs that the code computes. Attributes that are null are left out. */
export async function inputsOf({ attributes }: SnippetCode, scope: Scope): Promise<PropertyMap> {
  const values: Record<string, PropertyValue> = {};
  for (const { name, value } of attributes.values()) {
    const computed = await evaluate(value, scope);
    if (computed !== null) values[name] = computed;
  }
  return propertyMap(values);
}
