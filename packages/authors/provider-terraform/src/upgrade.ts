import { emptyMap, fromPlainMap, newMap } from '@cairn/values';
import type { PlainValues, PropertyMap, PropertyValue } from '@cairn/values';
import { fromJson } from '@cairn/tfplugin';
import type { TfRecord } from '@cairn/tfplugin';
import type { StateMigration } from '@cairn/provider-sdk/protocols';
import type { ShapeSpec, TypeSpec } from '@cairn/provider-sdk/protocols';
import { nestedNames } from './names.js';
import type { ObjectStates } from './object-state.js';
import type { ServedShapes } from './resource-schema.js';

/** Thrown for a stored state that this version of the provider cannot read. */
class UnreadableState extends Error {
  override readonly name = 'UnreadableState';
}

/**
 * Converts a stored state to the newest version. `version` is the version of its schema. Migrations of inputs and of
 * outputs each get every property of the state, since a stored state does not separate them. Properties outside the
 * newest shape are omitted. Throws {@link UnreadableState}.
 */
// [TFS-4]
export function upgradedState(
  {
    served,
    states,
    migrations,
  }: { served: ServedShapes; states: ObjectStates; migrations: readonly StateMigration[] },
  version: number,
  json: string,
): TfRecord {
  const newest = migrations.length;
  if (version > newest) {
    throw new UnreadableState(
      `it is of version ${version}, and this version of the provider supports ${newest}; install the newer provider`,
    );
  }
  if (version === newest) return fromJson(served.type, json) as TfRecord;
  const { id, ...stored } = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const old = propertiesOf(served, stored);
  const carried = (side: 'inputs' | 'outputs'): PlainValues =>
    migrations.slice(version).reduce((values, step) => step[side]?.(values) ?? values, old);
  const inputs = ofShape(served.inputs, carried('inputs'));
  const outputs = ofShape(served.outputs, carried('outputs'));
  return states.found(String(id ?? ''), inputs, outputs, undefined);
}

/** Returns stored attributes by property. Those that the newest version does not have get their name in camel case. */
function propertiesOf({ fields }: ServedShapes, stored: Readonly<Record<string, unknown>>): PlainValues {
  const properties: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stored)) {
    if (value === null) continue;
    const field = fields.get(name);
    properties[field?.property ?? camelCase(name)] =
      field === undefined ? withoutType(value) : plainOf(field.spec.type, value);
  }
  return properties;
}

function plainOf(type: TypeSpec, value: unknown): unknown {
  if (type.kind === 'array' && Array.isArray(value))
    return value.map((item) => plainOf(type.items.type, item));
  if (!isObject(value)) return value;
  const unwrapped = withoutType(value);
  if (unwrapped !== value) return unwrapped;
  if (type.kind === 'map') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, plainOf(type.values.type, item)]),
    );
  }
  if (type.kind !== 'object') return value;
  const { properties } = nestedNames(type.properties);
  const members = Object.entries(value)
    .filter(([, item]) => item !== null)
    .map(([name, item]) => {
      const property = properties.get(name) ?? camelCase(name);
      const spec = type.properties[property];
      return [property, spec === undefined ? item : plainOf(spec.type, item)];
    });
  return Object.fromEntries(members) as unknown;
}

/** Unwraps a value of a place without a fixed type, which is stored with its own type. */
function withoutType(value: unknown): unknown {
  const isTyped =
    isObject(value) &&
    Object.keys(value).length === 2 &&
    'type' in value &&
    'value' in value &&
    isType(value['type']);
  return isTyped ? value['value'] : value;
}

const isType = (type: unknown): boolean =>
  Array.isArray(type) || ['string', 'number', 'bool', 'dynamic'].includes(String(type));

function ofShape(shape: ShapeSpec, values: PlainValues): PropertyMap {
  const map = newMap();
  for (const [key, value] of Object.entries(fromPlainMap(values) ?? emptyMap)) {
    if (key in shape) map[key] = value as PropertyValue;
  }
  return map;
}

const camelCase = (name: string): string =>
  name.replace(/_+([\p{L}\p{N}])/gu, (_found, letter: string) => letter.toUpperCase());

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
