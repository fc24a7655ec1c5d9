import type { Attribute, Block, NestedObject, NestedBlock } from '../schema/index.js';
import { attributeType, impliedType, nestedBlockType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import type { Typed } from './typed.js';
import { attributeOf, typedEntries, isTypedMap, isNull, isSet, isPresent, itemsOf, typed } from './typed.js';

/** Returns the paths of write-only attributes in a state. */
export function writeOnlyPaths(block: Block, value: TfValue): readonly TfPath[] {
  return [...inBody(block, typed(impliedType(block), value), [])].map(({ path }) => path);
}

/** Returns the paths of write-only attributes that have a value, which no result of a provider may contain [TFC-24]. */
export function writeOnlyValues(block: Block, value: TfValue): readonly TfPath[] {
  return [...inBody(block, typed(impliedType(block), value), [])]
    .filter(({ value: each }) => !isNull(each))
    .map(({ path }) => path);
}

interface Place {
  readonly path: TfPath;
  readonly value: Typed;
}

function* inBody(block: Block, value: Typed, path: TfPath): Generator<Place> {
  if (!isPresent(value)) return;
  yield* inAttributes(block.attributes, value, path);
  for (const [name, nested] of block.blocks) {
    const each = attributeOf(value, name, nestedBlockType(nested));
    for (const place of elements(nested, each, [...path, name])) {
      yield* inBody(nested.block, place.value, place.path);
    }
  }
}

function* inAttributes(
  attributes: ReadonlyMap<string, Attribute>,
  value: Typed,
  path: TfPath,
): Generator<Place> {
  for (const [name, attribute] of attributes) {
    const each = attributeOf(value, name, attributeType(attribute));
    if (attribute.writeOnly) yield { path: [...path, name], value: each };
    else if (attribute.nested !== undefined) {
      for (const place of elements(attribute.nested, each, [...path, name])) {
        if (isPresent(place.value)) yield* inAttributes(attribute.nested.attributes, place.value, place.path);
      }
    }
  }
}

/** Returns the objects of a nested attribute or block type. */
function elements({ nesting }: NestedObject | NestedBlock, value: Typed, path: TfPath): readonly Place[] {
  if (nesting === 'single' || nesting === 'group') return [{ path, value }];
  if (nesting === 'map') {
    const keyed = isTypedMap(value);
    return [...typedEntries(value)].map(([key, each]) => ({
      path: [...path, keyed ? { key } : key],
      value: each,
    }));
  }
  return itemsOf(value).map((each, at) => ({
    path: [...path, isSet(value) ? { key: each.value } : at],
    value: each,
  }));
}
