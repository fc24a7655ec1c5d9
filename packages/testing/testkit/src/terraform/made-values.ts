import {
  attributeType,
  Dynamic,
  impliedType,
  isRecord,
  makeSet,
  record,
  typeWithin,
  UNKNOWN_VALUE,
  TfUnknown,
} from '@cairn/tfplugin';
import type { Attribute, Block, NestedBlock, NestingMode, TfRecord, TfType, TfValue } from '@cairn/tfplugin';

type Attributes = ReadonlyMap<string, Attribute>;
/** Returns the new value of an attribute. Undefined to continue with the values in it. */
type OnAttribute = (name: string, attribute: Attribute, value: TfValue) => TfValue | undefined;

/** Returns a value with some of its attributes changed, in nested blocks and nested attributes too. */
function mapAttributes(block: Block, value: TfValue, on: OnAttribute): TfValue {
  if (!isRecord(value)) return value;
  const parts = Object.entries(value).map(([name, each]) => {
    const attribute = block.attributes.get(name);
    if (attribute !== undefined) return [name, onOne(name, attribute, each, on)] as const;
    return [name, onBlocks(block.blocks.get(name) as NestedBlock, each, on)] as const;
  });
  return record(parts);
}

function onOne(name: string, attribute: Attribute, value: TfValue, on: OnAttribute): TfValue {
  const changed = on(name, attribute, value);
  if (changed !== undefined) return changed;
  const { nested } = attribute;
  if (nested === undefined) return value;
  const within = (each: TfValue) => onObject(nested.attributes, each, on);
  return eachOf(nested.nesting, attributeType(attribute), value, within);
}

function onObject(attributes: Attributes, value: TfValue, on: OnAttribute): TfValue {
  if (!isRecord(value)) return value;
  return record(
    Object.entries(value).map(([name, each]) => [
      name,
      onOne(name, attributes.get(name) as Attribute, each, on),
    ]),
  );
}

function onBlocks({ nesting, block }: NestedBlock, value: TfValue, on: OnAttribute): TfValue {
  // Blocks without a fixed type are taken as they are.
  if (value instanceof Dynamic) return value;
  const type: TfType =
    nesting === 'list' || nesting === 'set' || nesting === 'map'
      ? { kind: nesting, element: impliedType(block) }
      : impliedType(block);
  return eachOf(nesting, type, value, (each) => mapAttributes(block, each, on));
}

function eachOf(
  nesting: NestingMode,
  type: TfType,
  value: TfValue,
  on: (value: TfValue) => TfValue,
): TfValue {
  if (value === null || value instanceof TfUnknown) return value;
  if (nesting === 'single' || nesting === 'group') return on(value);
  if (nesting === 'map') {
    return record(Object.entries(value as TfRecord).map(([key, each]) => [key, on(each)]));
  }
  const elements = (value as readonly TfValue[]).map(on);
  return nesting === 'set' ? makeSet(typeWithin(type, 0), elements) : Object.freeze(elements);
}

/** Makes computed values unknown that are not set yet. Removes write-only values. */
export function asPlanned(
  block: Block,
  proposed: TfValue,
  remade: readonly string[],
  config: TfValue,
): TfValue {
  const configured = isRecord(config) ? config : {};
  const planned = mapAttributes(block, proposed, (_name, attribute, value) => {
    if (attribute.writeOnly) return null;
    return attribute.computed && value === null ? UNKNOWN_VALUE : undefined;
  });
  if (!isRecord(planned)) return planned;
  const isRemade = (name: string) => remade.includes(name) && (configured[name] ?? null) === null;
  return record(
    Object.entries(planned).map(([name, value]) => [name, isRemade(name) ? UNKNOWN_VALUE : value]),
  );
}

/** Sets the unknown values. `id` is that of the object. */
export function asApplied(block: Block, planned: TfValue, id: string): TfValue {
  return mapAttributes(block, planned, (name, attribute, value) =>
    value instanceof TfUnknown ? madeValue(name, attributeType(attribute), id) : undefined,
  );
}

/** Sets every write-only attribute to null. */
export function withoutWriteOnly(block: Block, value: TfValue): TfValue {
  return mapAttributes(block, value, (_name, { writeOnly }) => (writeOnly ? null : undefined));
}

function madeValue(name: string, type: TfType, id: string): TfValue {
  if (type === 'string') return name === 'id' ? id : `${name} of ${id}`;
  if (type === 'number') return name.length;
  if (type === 'bool') return true;
  if (type === 'dynamic') return new Dynamic('string', `${name} of ${id}`);
  if (type.kind === 'tuple') return Object.freeze(type.elements.map((each) => madeValue(name, each, id)));
  if (type.kind === 'map') return record([]);
  if (type.kind !== 'object') return Object.freeze([]);
  return record(Object.entries(type.attributes).map(([key, each]) => [key, madeValue(key, each, id)]));
}
