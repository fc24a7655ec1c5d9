import {
  Dynamic,
  TfUnknown,
  impliedType,
  isRecord,
  makeSet,
  objectOf,
  record,
  tupleOf,
  UNKNOWN_VALUE,
} from '@cairn/tfplugin';
import type { Attribute, Block, NestedBlock, TfRecord, TfType, TfValue } from '@cairn/tfplugin';
import type { Random } from '../support/random.js';

/**
 * Draws a configuration of a block: with required attributes, perhaps with others, without those that are only
 * reported.
 */
export function randomConfiguration(random: Random, block: Block): TfRecord {
  const entries = [
    ...[...block.attributes].map(([name, each]) => [name, attributeValue(random, each)] as const),
    ...[...block.blocks].map(([name, each]) => [name, blockValue(random, each)] as const),
  ];
  return inTypesOrder(block, new Map(entries));
}

/** The same with some parts changed, left out or added. */
export function changedConfiguration(random: Random, block: Block, config: TfRecord): TfRecord {
  const other = randomConfiguration(random, block);
  return record(
    Object.keys(config).map((key) => [key, (random.below(3) === 0 ? other : config)[key] ?? null]),
  );
}

/** The same with some parts not known yet. */
export function partlyUnknown(random: Random, value: TfValue, depth = 0): TfValue {
  if (value === null || value instanceof TfUnknown || value instanceof Dynamic) return value;
  if (depth > 0 && random.below(8) === 0) return UNKNOWN_VALUE;
  if (Array.isArray(value)) {
    // Elements of a set are found again by their content.
    return value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.keys(value).map((key) => [key, value[key] as TfValue] as const);
  return record(entries.map(([key, each]) => [key, partlyUnknown(random, each, depth + 1)]));
}

function attributeValue(random: Random, { required, optional, type, nested }: Attribute): TfValue {
  if (!required && (!optional || random.below(3) === 0)) return null;
  if (nested === undefined) return valueOfType(random, type);
  const body = () =>
    record([...nested.attributes].map(([name, each]) => [name, attributeValue(random, each)] as const));
  const object = (): TfRecord => {
    const made = body();
    return record(
      Object.keys(made)
        .sort()
        .map((key) => [key, made[key] as TfValue]),
    );
  };
  const elementType = objectTypeOf(nested.attributes);
  return collection(random, nested.nesting, object, elementType);
}

function blockValue(random: Random, { nesting, block, minItems }: NestedBlock): TfValue {
  const object = () => randomConfiguration(random, block);
  if (nesting === 'single') return minItems > 0 || random.below(2) === 0 ? object() : null;
  return collection(random, nesting, object, impliedType(block));
}

function collection(random: Random, nesting: string, object: () => TfRecord, type: TfType): TfValue {
  if (nesting === 'single' || nesting === 'group') return object();
  if (nesting === 'map')
    return record(
      [
        ['Key 2', object()],
        ['k', object()],
      ].slice(random.below(3)) as [string, TfValue][],
    );
  const items = Array.from({ length: random.below(3) }, object);
  return nesting === 'set' ? makeSet(type, items) : Object.freeze(items);
}

function objectTypeOf(attributes: ReadonlyMap<string, Attribute>): TfType {
  return impliedType({ attributes, blocks: new Map() });
}

function valueOfType(random: Random, type: TfType): TfValue {
  if (type === 'string') return random.pick(['a', 'b', 'text', '', 'zwölf', '10']);
  if (type === 'number') return random.pick([0, 1, -3, 12, 2.5, 65_536]);
  if (type === 'bool') return random.below(2) === 0;
  if (type === 'dynamic') return dynamicValue(random);
  switch (type.kind) {
    case 'list':
      return Object.freeze(Array.from({ length: random.below(3) }, () => valueOfType(random, type.element)));
    case 'set':
      return makeSet(
        type.element,
        Array.from({ length: random.below(3) }, () => valueOfType(random, type.element)),
      );
    case 'map':
      return record(
        ['Key 2', 'k'].slice(random.below(3)).map((key) => [key, valueOfType(random, type.element)]),
      );
    case 'tuple':
      return Object.freeze(type.elements.map((each) => valueOfType(random, each)));
    case 'object':
      return record(Object.entries(type.attributes).map(([name, each]) => [name, valueOfType(random, each)]));
  }
}

function dynamicValue(random: Random): Dynamic {
  const types: readonly TfType[] = [
    'string',
    'number',
    'bool',
    tupleOf(['string', 'number']),
    objectOf({ a: 'bool' }),
  ];
  const type = random.pick(types);
  return new Dynamic(type, valueOfType(random, type));
}

function inTypesOrder(block: Block, values: ReadonlyMap<string, TfValue>): TfRecord {
  const type = impliedType(block);
  return record(Object.keys(type.attributes).map((name) => [name, values.get(name) ?? null]));
}
