import { TfValueError } from '../codec/value-error.js';
import { kindName } from '../values/conform.js';
import { keysInOrder, makeSet } from '../values/order.js';
import type { TfPath } from '../values/path.js';
import { hasDynamic, objectOf, tupleOf } from '../values/type.js';
import { Dynamic, isRecord, record, TfUnknown } from '../values/value.js';
import type { TfRecord, TfValue } from '../values/value.js';
import { concreteOf, convert } from './convert.js';
import { attributeType, impliedType } from './implied-type.js';
import type { Attribute, Block, NestedBlock } from './model.js';

/**
 * Converts a value of a configuration to the type that a block implies [TFV-12]. Missing parts become null or empty.
 * Throws {@link TfValueError} with the path for names that the schema lacks, missing required parts, and parts that
 * cannot be converted. {@link blockCounts} checks the number of blocks.
 */
export function coerce(block: Block, value: TfValue, path: TfPath = []): TfValue {
  if (value instanceof Dynamic) return coerce(block, value.value, path);
  if (value === null || value instanceof TfUnknown) return value;
  if (!isRecord(value)) throw new TfValueError(`object required, not ${kindName(value)}`, path);
  for (const name of Object.keys(value)) {
    if (!block.attributes.has(name) && !block.blocks.has(name)) {
      throw new TfValueError(`"${name}" is not in the schema`, path);
    }
  }
  const made = Object.create(null) as Record<string, TfValue>;
  for (const name of keysInOrder(impliedType(block).attributes)) {
    const attribute = block.attributes.get(name);
    made[name] =
      attribute === undefined
        ? coerceBlocks(block.blocks.get(name) as NestedBlock, value[name], [...path, name])
        : coerceAttribute(attribute, value[name], name, path);
  }
  return Object.freeze(made);
}

function coerceAttribute(
  attribute: Attribute,
  given: TfValue | undefined,
  name: string,
  path: TfPath,
): TfValue {
  if (given === undefined) {
    if (attribute.required) throw new TfValueError(`attribute "${name}" is required`, path);
    return null;
  }
  const here = [...path, name];
  return attribute.nested === undefined
    ? convert(attribute.type, given, here)
    : convert(attributeType(attribute), withAbsent(attribute, given, here), here);
}

/** Returns a value of a nested attribute whose objects have every attribute. */
function withAbsent(attribute: Attribute, value: TfValue, path: TfPath): TfValue {
  if (value instanceof Dynamic) return withAbsent(attribute, value.value, path);
  if (attribute.nested === undefined || value === null || value instanceof TfUnknown) return value;
  const { nesting, attributes } = attribute.nested;
  const object = (given: TfValue, here: TfPath): TfValue => {
    if (given instanceof Dynamic) return object(given.value, here);
    if (!isRecord(given)) return given;
    const entries = [...attributes].map(([name, each]) => [name, within(each, given, name, here)] as const);
    return record(entries);
  };
  if (nesting === 'single') return object(value, path);
  if (nesting === 'map') {
    if (!isRecord(value)) return value;
    return record(keysInOrder(value).map((key) => [key, object(value[key] as TfValue, [...path, key])]));
  }
  if (!Array.isArray(value)) return value;
  return (value as readonly TfValue[]).map((each, at) => object(each, [...path, at]));
}

function within(attribute: Attribute, given: TfRecord, name: string, path: TfPath): TfValue {
  const value = given[name];
  if (value !== undefined) return withAbsent(attribute, value, [...path, name]);
  if (attribute.required) throw new TfValueError(`attribute "${name}" is required`, path);
  return null;
}

function coerceBlocks(nested: NestedBlock, given: TfValue | undefined, path: TfPath): TfValue {
  const { nesting, block } = nested;
  const value = given instanceof Dynamic ? given.value : given;
  if (value === undefined) return emptyBlocks(nested, path);
  if (value === null || value instanceof TfUnknown) return value;
  if (nesting === 'single' || nesting === 'group') return coerce(block, value, path);
  const typeless = hasDynamic(impliedType(block));
  if (nesting === 'map') {
    if (!isRecord(value)) throw new TfValueError(`map of objects required, not ${kindName(value)}`, path);
    const keys = keysInOrder(value);
    const made = record(keys.map((key) => [key, coerce(block, value[key] as TfValue, [...path, key])]));
    return typeless ? typedMap(block, made) : made;
  }
  if (!Array.isArray(value)) throw new TfValueError(`list of objects required, not ${kindName(value)}`, path);
  const made = (value as readonly TfValue[]).map((each, at) => coerce(block, each, [...path, at]));
  if (nesting === 'set') return makeSet(impliedType(block), made);
  return typeless ? typedList(block, made) : Object.freeze(made);
}

function typedList(block: Block, values: readonly TfValue[]): Dynamic {
  const formed = values.map((each) => concreteOf(impliedType(block), each));
  return new Dynamic(
    tupleOf(formed.map(({ type }) => type)),
    Object.freeze(formed.map(({ value }) => value)),
  );
}

function typedMap(block: Block, values: TfRecord): Dynamic {
  const formed = Object.keys(values).map(
    (key) => [key, concreteOf(impliedType(block), values[key] as TfValue)] as const,
  );
  const types = Object.create(null) as Record<string, (typeof formed)[number][1]['type']>;
  for (const [key, { type }] of formed) types[key] = type;
  return new Dynamic(objectOf(types), record(formed.map(([key, { value }]) => [key, value])));
}

/** Returns the value of a block type without any block. */
function emptyBlocks(nested: NestedBlock, path: TfPath): TfValue {
  const { nesting, block } = nested;
  if (nesting === 'single') return null;
  if (nesting === 'group') return coerce(block, record([]), path);
  if (nesting === 'set') return makeSet(impliedType(block), []);
  if (nesting === 'list') return hasDynamic(impliedType(block)) ? typedList(block, []) : Object.freeze([]);
  return hasDynamic(impliedType(block)) ? typedMap(block, record([])) : record([]);
}

/** Too few or too many blocks of a type, and their path. */
interface BlockCount {
  readonly path: TfPath;
  readonly message: string;
}

/** Finds blocks that occur less or more often than their schema allows. Unknown blocks are not counted. */
export function blockCounts(block: Block, value: TfValue, path: TfPath = []): readonly BlockCount[] {
  if (!isRecord(value)) return [];
  return [...block.blocks].flatMap(([name, nested]) => {
    const given = value[name];
    const blocks = given instanceof Dynamic ? given.value : (given ?? null);
    return countOf(nested, name, blocks, [...path, name]);
  });
}

function countOf(nested: NestedBlock, name: string, blocks: TfValue, path: TfPath): readonly BlockCount[] {
  const { nesting, block, minItems, maxItems } = nested;
  if (blocks instanceof TfUnknown) return [];
  if (nesting === 'single' || nesting === 'group') {
    const message = `a block "${name}" is required`;
    return blocks === null && minItems > 0 ? [{ path, message }] : blockCounts(block, blocks, path);
  }
  if (nesting === 'map') {
    const entries = isRecord(blocks) ? blocks : record([]);
    return Object.keys(entries).flatMap((key) => blockCounts(block, entries[key] as TfValue, [...path, key]));
  }
  const elements = Array.isArray(blocks) ? (blocks as readonly TfValue[]) : [];
  const inside = elements.flatMap((each, at) =>
    blockCounts(block, each, [...path, nesting === 'set' ? { key: each } : at]),
  );
  // Elements of a set with unknown parts may prove to be equal.
  const few = elements.length < minItems;
  const many = maxItems > 0 && elements.length > maxItems;
  if (few)
    return [
      { path, message: `at least ${minItems} blocks "${name}" required, not ${elements.length}` },
      ...inside,
    ];
  if (many)
    return [
      { path, message: `at most ${maxItems} blocks "${name}" allowed, not ${elements.length}` },
      ...inside,
    ];
  return inside;
}
