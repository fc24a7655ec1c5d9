import type { Attribute, Block } from '../schema/index.js';
import { attributeType, nestedBlockType } from '../schema/index.js';
import type { TfType } from '../values/index.js';
import type { Typed } from './typed.js';
import {
  attributeOf,
  typedEntries,
  isPresent,
  itemsOf,
  listFrom,
  mapFrom,
  nullOf,
  objectFrom,
  setFrom,
} from './typed.js';

type Test = (attribute: Attribute) => boolean;

/** Returns a state with null for every attribute that a test selects, in nested attributes and blocks too. */
export function nullWhere(block: Block, value: Typed, test: Test): Typed {
  if (!isPresent(value)) return value;
  const parts = attributesOf(block.attributes, value, test);
  for (const [name, nested] of block.blocks) {
    const declared = nestedBlockType(nested);
    const each = attributeOf(value, name, declared);
    const change = (object: Typed) => nullWhere(nested.block, object, test);
    parts.set(name, eachObject(nested.nesting, declared, each, change));
  }
  return objectFrom(parts);
}

function attributesOf(
  attributes: ReadonlyMap<string, Attribute>,
  value: Typed,
  test: Test,
): Map<string, Typed> {
  const parts = new Map<string, Typed>();
  for (const [name, attribute] of attributes) {
    const declared = attributeType(attribute);
    const each = attributeOf(value, name, declared);
    const { nested } = attribute;
    if (test(attribute)) parts.set(name, nullOf(declared));
    else if (nested === undefined) parts.set(name, each);
    else {
      const change = (object: Typed) =>
        isPresent(object) ? objectFrom(attributesOf(nested.attributes, object, test)) : object;
      parts.set(name, eachObject(nested.nesting, declared, each, change));
    }
  }
  return parts;
}

function eachObject(
  nesting: string,
  declared: TfType,
  value: Typed,
  change: (object: Typed) => Typed,
): Typed {
  if (!isPresent(value)) return value;
  if (nesting === 'single' || nesting === 'group') return change(value);
  if (nesting === 'map') {
    return mapFrom(declared, new Map([...typedEntries(value)].map(([key, each]) => [key, change(each)])));
  }
  const items = itemsOf(value).map(change);
  return nesting === 'set' ? setFrom(declared, items) : listFrom(declared, items);
}
