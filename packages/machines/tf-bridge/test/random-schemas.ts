import fc from 'fast-check';
import {
  attributeType,
  coerce,
  dynamicOf,
  fromProgram,
  impliedType,
  listOf,
  makeSet,
  mapOf,
  namedMap,
  objectOf,
  parseNumber,
  record,
  setOf,
  tupleOf,
  UNKNOWN_VALUE,
} from '@cairn/tfplugin';
import type { Attribute, Block, NestedBlock, TfNumber, TfType, TfValue } from '@cairn/tfplugin';

/** Random schemas, and values of them as a provider can return them. */
const NAMES = [
  ...['a', 'a_b', 'a__b', 'a_1', 'a1', 'rule', 'rules', 'policy', 'address', 'id', 'urn', 'resource_id'],
  ...['_u', 'u_', '__terraform', 'subnet_ids', 'status', 'x_y_z', 'x_yz', 'constructor'],
];
const names = (max: number) => fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: max });

const primitive = fc.constantFrom<TfType>('string', 'number', 'bool');

function typeArbitrary(depth: number): fc.Arbitrary<TfType> {
  if (depth === 0) return primitive;
  const inner = typeArbitrary(depth - 1);
  const objects = names(3).chain((keys) =>
    fc
      .array(inner, { minLength: keys.length, maxLength: keys.length })
      .map((types) => objectOf(Object.fromEntries(keys.map((key, at) => [key, types[at] as TfType])))),
  );
  return fc.oneof(
    { weight: 4, arbitrary: primitive },
    { weight: 1, arbitrary: inner.map(listOf) },
    { weight: 1, arbitrary: inner.map(setOf) },
    { weight: 1, arbitrary: inner.map(mapOf) },
    { weight: 1, arbitrary: fc.array(inner, { minLength: 1, maxLength: 2 }).map(tupleOf) },
    { weight: 2, arbitrary: objects },
  );
}

const FLAGS = ['R', 'O', 'C', 'OC', 'O', 'OS', 'OCS', 'OW'] as const;
const flags = fc.constantFrom(...FLAGS).map((text) => ({
  required: text.includes('R'),
  optional: text.includes('O'),
  computed: text.includes('C'),
  sensitive: text.includes('S'),
  writeOnly: text.includes('W'),
}));

function attribute(depth: number, dynamic: boolean): fc.Arbitrary<Attribute> {
  const typed = fc
    .tuple(flags, dynamic ? fc.oneof(typeArbitrary(2), fc.constant<TfType>('dynamic')) : typeArbitrary(2))
    .map(([each, type]): Attribute => ({ ...each, type }));
  if (depth === 0) return typed;
  const nested = fc
    .tuple(flags, fc.constantFrom('single', 'list', 'set', 'map'), named(attribute(depth - 1, false)))
    .map(([each, nesting, attributes]): Attribute => ({
      ...each,
      writeOnly: false,
      nested: { nesting: nesting as 'single', attributes: namedMap(attributes) },
    }));
  return fc.oneof({ weight: 3, arbitrary: typed }, { weight: 1, arbitrary: nested });
}

const named = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<[string, T][]> =>
  names(4).chain((keys) =>
    fc
      .array(each, { minLength: keys.length, maxLength: keys.length })
      .map((values) => keys.map((key, at) => [key, values[at] as T])),
  );

/** Generates a block with attributes and blocks of every kind. */
export function blockArbitrary(depth = 2, dynamic = true): fc.Arbitrary<Block> {
  const nested: fc.Arbitrary<NestedBlock> = fc
    .tuple(fc.constantFrom('single', 'group', 'list', 'set', 'map'), fc.boolean())
    .chain(([nesting, one]) =>
      blockArbitrary(depth - 1, dynamic && nesting !== 'set').map((block) => ({
        nesting: nesting as 'single',
        block,
        minItems: 0,
        maxItems: one && (nesting === 'list' || nesting === 'set') ? 1 : 0,
      })),
    );
  const parts = depth === 0 ? fc.constant<[string, NestedBlock][]>([]) : named(nested);
  return fc.tuple(named(attribute(1, dynamic)), parts, fc.boolean()).map(([attributes, blocks, has]) => {
    const taken = new Set(attributes.map(([name]) => name));
    const free = has ? blocks.filter(([name]) => !taken.has(name)) : [];
    return { attributes: namedMap(attributes), blocks: namedMap(free) };
  });
}

const number: fc.Arbitrary<TfValue> = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(fromProgram),
  fc.bigInt({ min: -(1n << 70n), max: 1n << 70n }).map((each) => parseNumber(String(each)) as TfNumber),
  fc.tuple(fc.integer(), fc.nat(99999)).map(([whole, part]) => parseNumber(`${whole}.${part}`) as TfNumber),
  fc
    .constantFrom('0.1', '0.0000001', '1e21', '0.1000000000000000055511151231257827')
    .map((text) => parseNumber(text) as TfNumber),
);

function typedValue(type: TfType): fc.Arbitrary<TfValue> {
  return fc.oneof(
    { weight: 8, arbitrary: knownValue(type) },
    { weight: 1, arbitrary: fc.constantFrom<TfValue>(null, UNKNOWN_VALUE) },
  );
}

function knownValue(type: TfType): fc.Arbitrary<TfValue> {
  if (type === 'string') return fc.constantFrom('', 'a', 'b', 'é', '12');
  if (type === 'bool') return fc.boolean();
  if (type === 'number') return number;
  // A number that a program sees as text remains text if the schema has no type.
  if (type === 'dynamic')
    return fc.oneof(fc.constantFrom('a', true, 7), fc.array(fc.integer())).map((each) => dynamicOf(each));
  if (type.kind === 'tuple') {
    return fc.tuple(...type.elements.map(typedValue)).map((each) => Object.freeze(each));
  }
  if (type.kind === 'object') {
    const keys = Object.keys(type.attributes);
    return fc
      .tuple(...keys.map((key) => typedValue(type.attributes[key] as TfType)))
      .map((values) => record(keys.map((key, at) => [key, values[at] as TfValue])));
  }
  const { kind, element } = type;
  if (kind === 'map') {
    return fc.dictionary(fc.constantFrom('a_key', 'aKey', '1'), typedValue(element)).map(sortedRecord);
  }
  const elements = fc.array(typedValue(element), { maxLength: 3 });
  return elements.map((each) => (kind === 'set' ? makeSet(element, each) : Object.freeze(each)));
}

const sortedRecord = (of: Record<string, TfValue>): TfValue =>
  record(
    Object.keys(of)
      .sort()
      .map((key) => [key, of[key] as TfValue]),
  );

/**
 * Generates a value of a block in the form of a provider's configuration: lists and maps of blocks with dynamic
 * attributes contain their types. Write-only values are null, and required ones are not.
 */
export function valueArbitrary(block: Block): fc.Arbitrary<TfValue> {
  return uncoerced(block).map((value) => coerce(block, value));
}

function uncoerced(block: Block): fc.Arbitrary<TfValue> {
  const attributes = [...block.attributes].map(([name, each]) => [name, attributeValue(each)] as const);
  const blocks = [...block.blocks].map(([name, each]) => [name, blocksValue(each)] as const);
  return parts([...attributes, ...blocks]);
}

function parts(of: readonly (readonly [string, fc.Arbitrary<TfValue>])[]): fc.Arbitrary<TfValue> {
  const inOrder = [...of].sort(([a], [b]) => (a < b ? -1 : 1));
  return fc
    .tuple(...inOrder.map(([, each]) => each))
    .map((values) => record(inOrder.map(([name], at) => [name, values[at] as TfValue])));
}

function attributeValue(of: Attribute): fc.Arbitrary<TfValue> {
  if (of.writeOnly) return fc.constant(null);
  const known = of.nested === undefined ? knownValue(of.type) : nestedValue(of);
  return of.required
    ? known
    : fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: fc.constant(null) });
}

function nestedValue(of: Attribute): fc.Arbitrary<TfValue> {
  if (of.nested === undefined) throw new TypeError('no nested attribute');
  const { nesting, attributes } = of.nested;
  const object = parts([...attributes].map(([name, each]) => [name, attributeValue(each)] as const));
  const type = attributeType(of);
  return collectionValue(
    nesting,
    object,
    3,
    typeof type === 'object' && 'element' in type ? type.element : type,
  );
}

function blocksValue({ nesting, block, maxItems }: NestedBlock): fc.Arbitrary<TfValue> {
  const object = uncoerced(block);
  if (nesting === 'single') return fc.oneof(object, fc.constant(null));
  return collectionValue(nesting, object, maxItems === 1 ? 1 : 3, impliedType(block));
}

function collectionValue(
  nesting: string,
  object: fc.Arbitrary<TfValue>,
  most: number,
  type: TfType,
): fc.Arbitrary<TfValue> {
  if (nesting === 'single' || nesting === 'group') return object;
  if (nesting === 'map') return fc.dictionary(fc.constantFrom('k', 'a_key'), object).map(sortedRecord);
  const elements = fc.array(object, { maxLength: most });
  return elements.map((each) => (nesting === 'set' ? makeSet(type, each) : Object.freeze(each)));
}
