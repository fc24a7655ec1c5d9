import type { Attribute, Block, NestedBlock, NestedObject } from '../schema/index.js';
import { attributeType, impliedType, nestedBlockType } from '../schema/index.js';
import type { TfType, TfValue } from '../values/index.js';
import { typeWithin, UNKNOWN_VALUE } from '../values/index.js';
import { emptyOf } from './empty.js';
import { matchSet } from './set-match.js';
import type { Typed } from './typed.js';
import {
  attributeOf,
  typedEntries,
  isNull,
  isPresent,
  isTypedUnknown,
  itemsOf,
  listFrom,
  mapFrom,
  nullOf,
  objectFrom,
  asDeclared,
  setFrom,
  typed,
} from './typed.js';

/**
 * Returns the state that a provider is asked to plan: the configuration, and values that the provider computed before
 * [TFC-1].
 */
export function proposedNew(block: Block, prior: TfValue, config: TfValue): TfValue {
  if (prior === null && config === null) return null;
  const type = impliedType(block);
  return asDeclared(type, mergeBody(block, typed(type, prior), typed(type, config)));
}

/** Returns the replacement for the result of a data source that cannot be read yet [TFC-3]. */
export function plannedUnknownObject(block: Block, config: TfValue): TfValue {
  const type = impliedType(block);
  return asDeclared(type, mergeBody(block, typed(type, UNKNOWN_VALUE), typed(type, config)));
}

function mergeBody(block: Block, prior: Typed, config: Typed): Typed {
  if (isNull(prior) && isNull(config)) return config;
  const from = isNull(prior) ? emptyOf(block) : prior;
  if (!isPresent(config)) return from;
  const parts = new Map<string, Typed>();
  mergeAttributes(block.attributes, from, config, parts);
  for (const [name, nested] of block.blocks) {
    const declared = nestedBlockType(nested);
    const before = attributeOf(from, name, declared);
    parts.set(name, mergeBlock(nested, declared, before, attributeOf(config, name, declared)));
  }
  return objectFrom(parts);
}

function mergeAttributes(
  attributes: ReadonlyMap<string, Attribute>,
  prior: Typed,
  config: Typed,
  parts: Map<string, Typed>,
): void {
  for (const [name, attribute] of attributes) {
    const declared = attributeType(attribute);
    const before = attributeOf(prior, name, declared);
    parts.set(name, mergeAttribute(attribute, declared, before, attributeOf(config, name, declared)));
  }
}

function mergeAttribute(attribute: Attribute, declared: TfType, prior: Typed, config: Typed): Typed {
  if (attribute.computed && isNull(config)) {
    const removed = attribute.nested !== undefined && attribute.optional;
    return removed && hasConfigured(attribute.nested, prior) ? config : prior;
  }
  return attribute.nested === undefined ? config : mergeNested(attribute.nested, declared, prior, config);
}

/** Returns true if an old value has a part that only a configuration can have set. */
function hasConfigured(nested: NestedObject, value: Typed): boolean {
  const within = (object: Typed) =>
    [...nested.attributes].some(([name, attribute]) => {
      const each = attributeOf(object, name, attributeType(attribute));
      if (isNull(object) || isNull(each)) return false;
      return !attribute.computed || (attribute.nested !== undefined && hasConfigured(attribute.nested, each));
    });
  if (!isPresent(value)) return false;
  if (nested.nesting === 'single') return within(value);
  const elements = nested.nesting === 'map' ? [...typedEntries(value).values()] : itemsOf(value);
  return elements.filter(isPresent).some(within);
}

/** Merges the elements of a block type or nested attribute. */
type Merge = (prior: Typed, config: Typed) => Typed;

function mergeBlock({ nesting, block }: NestedBlock, declared: TfType, prior: Typed, config: Typed): Typed {
  const merge: Merge = (before, after) => mergeBody(block, before, after);
  if (isTypedUnknown(config)) return config;
  if (nesting === 'single') return isNull(config) ? nullOf(declared) : merge(prior, config);
  if (nesting === 'group') return merge(prior, config);
  return mergeElements(nesting, block, declared, prior, config, merge);
}

function mergeNested(nested: NestedObject, declared: TfType, prior: Typed, config: Typed): Typed {
  const merge: Merge = (before, after) => {
    if (isNull(after)) return after;
    const parts = new Map<string, Typed>();
    mergeAttributes(nested.attributes, before, after, parts);
    return objectFrom(parts);
  };
  if (!isPresent(config)) return config;
  if (nested.nesting === 'single') return merge(prior, config);
  return mergeElements(nested.nesting, nested, declared, prior, config, merge);
}

function mergeElements(
  nesting: 'list' | 'set' | 'map',
  body: Block | NestedObject,
  declared: TfType,
  prior: Typed,
  config: Typed,
  merge: Merge,
): Typed {
  if (isNull(config)) return config;
  if (nesting === 'set') {
    const element = typeWithin(declared, 0);
    const matched = matchSet(body, itemsOf(prior), itemsOf(config));
    return setFrom(
      declared,
      matched.map(([before, after]) => merge(before ?? nullOf(element), after)),
    );
  }
  if (nesting === 'map') {
    const before = typedEntries(prior);
    const merged = [...typedEntries(config)].map(([key, each]) => {
      const old = before.get(key);
      return [key, old === undefined ? each : merge(old, each)] as const;
    });
    return merged.length === 0 ? config : mapFrom(declared, new Map(merged));
  }
  // An unknown list has an old element at every index; an unknown map has none at any key.
  const later: Typed = { type: 'dynamic', value: UNKNOWN_VALUE };
  const before = itemsOf(prior);
  const merged = itemsOf(config).map((each, at) => {
    const old = isTypedUnknown(prior) ? later : before[at];
    return old === undefined ? each : merge(old, each);
  });
  return merged.length === 0 ? config : listFrom(declared, merged);
}
