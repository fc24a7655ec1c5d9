import type { Attribute, Block, NestedBlock, NestedObject } from '../schema/index.js';
import { attributeType, nestedBlockType } from '../schema/index.js';
import type { Typed } from './typed.js';
import {
  attributeOf,
  typedEntries,
  isNull,
  isSet,
  isPresent,
  isTypedUnknown,
  itemsOf,
  sameTyped,
} from './typed.js';

/**
 * Finds for each configured element of a set the old element that it continues [TFC-2]. It is the first free one, in
 * the order of the set, that differs at most in computed values.
 */
export function matchSet(
  body: Block | NestedObject,
  prior: readonly Typed[],
  config: readonly Typed[],
): readonly (readonly [Typed | undefined, Typed])[] {
  const free = new Set(prior);
  return config.map((after) => {
    const found = [...free].find((before) => continues(body, before, after));
    if (found !== undefined) free.delete(found);
    return [found, after] as const;
  });
}

function continues(body: Block | NestedObject, prior: Typed, config: Typed): boolean {
  if (sameTyped(prior, config)) return true;
  return partsContinue(body, prior, config);
}

/** Compares each part of an old object with the same part of the configuration. */
function partsContinue(body: Block | NestedObject, prior: Typed, config: Typed): boolean {
  if (!isPresent(prior)) return true;
  if (isNull(config)) return false;
  const attributes = [...body.attributes].every(([name, attribute]) => {
    const declared = attributeType(attribute);
    const before = attributeOf(prior, name, declared);
    return attributeContinues(attribute, before, attributeOf(config, name, declared));
  });
  if (!attributes || !('blocks' in body)) return attributes;
  return [...body.blocks].every(([name, nested]) => {
    const declared = nestedBlockType(nested);
    const before = attributeOf(prior, name, declared);
    return collectionContinues(nested, nested.block, before, attributeOf(config, name, declared));
  });
}

function attributeContinues(attribute: Attribute, prior: Typed, config: Typed): boolean {
  if (sameTyped(prior, config)) return true;
  if (attribute.nested !== undefined) {
    return collectionContinues(attribute.nested, attribute.nested, prior, config);
  }
  return !isSet(prior) && attribute.computed && isNull(config);
}

function collectionContinues(
  { nesting }: NestedBlock | NestedObject,
  body: Block | NestedObject,
  prior: Typed,
  config: Typed,
): boolean {
  if (sameTyped(prior, config)) return true;
  if (nesting === 'set') return false;
  if (nesting === 'single' || nesting === 'group') return partsContinue(body, prior, config);
  if (!isPresent(prior)) return true;
  const elements = nesting === 'map' ? typedEntries(prior) : new Map(itemsOf(prior).entries());
  const others: ReadonlyMap<string | number, Typed> =
    nesting === 'map' ? typedEntries(config) : new Map(itemsOf(config).entries());
  return [...elements].every(([key, before]) => {
    const after = isTypedUnknown(config) ? config : others.get(key);
    return after !== undefined && continues(body, before, after);
  });
}
