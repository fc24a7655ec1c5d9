import { blockCounts, coerce, convert, fromProgram, TfValueError, UNKNOWN_VALUE } from '@cairn/tfplugin';
import { isRecord, namedMap, record } from '@cairn/tfplugin';
import type { Block, TfPath, TfType, TfValue } from '@cairn/tfplugin';
import {
  isArray,
  isMap,
  isSecret,
  isUnknown,
  kindOf,
  plainOutputs,
  plainOutputsMap,
  plainReferencesMap,
} from '@cairn/values';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import type { BlockShape, Form, ObjectShape, Part } from '../model/shape.js';
import { EdgeError } from './edge-error.js';
import type { EdgeFailure } from './edge-error.js';
import { propertyPath, propertyPathOfForm } from './paths.js';

/** Properties as a value of a block's implied type, with the places of their secrets [TFE-1] [TFE-2]. */
export interface TerraformInput {
  readonly value: TfValue;
  /** Paths of secrets. A secret element makes the whole set secret. */
  readonly secrets: readonly TfPath[];
}

/** Results collected during the walk. */
interface Walk {
  readonly secrets: TfPath[];
  readonly failures: EdgeFailure[];
}

/**
 * Converts properties of a program to the provider's terms. Throws {@link EdgeError} with all faults: unknown names,
 * missing required values, values that cannot be converted, and too few or too many blocks.
 */
export function toTerraform(shape: BlockShape, properties: PropertyMap): TerraformInput {
  const walk: Walk = { secrets: [], failures: [] };
  const given = plainReferencesMap(plainOutputsMap(properties));
  const raw = objectValue(shape, given, { tf: [], inSet: false, path: [] }, walk);
  const value = coerced(shape, raw, walk);
  if (value === undefined || walk.failures.length > 0) throw new EdgeError(walk.failures);
  return { value, secrets: walk.secrets };
}

/** Converts a single value to the provider's terms, for functions. Throws {@link EdgeError}; `path` is its place. */
export function valueToTerraform(
  form: Form,
  type: TfType,
  value: PropertyValue,
  path: PropertyPath,
): TerraformInput {
  const walk: Walk = { secrets: [], failures: [] };
  const given = plainReferencesMap({ value: plainOutputs(value) });
  const raw = formed(form, given['value'] ?? null, { tf: [], inSet: false, path }, walk);
  if (walk.failures.length > 0) throw new EdgeError(walk.failures);
  try {
    return { value: convert(type, raw), secrets: walk.secrets };
  } catch (error) {
    if (!(error instanceof TfValueError)) throw error;
    const at = [...path, ...propertyPathOfForm(form, error.path, raw)];
    throw new EdgeError([{ path: at, reason: error.reason }]);
  }
}

/** The current place of the walk, by both of its names. */
interface Place {
  readonly tf: TfPath;
  /** True if `tf` leads to a set, and the remaining steps are within it. */
  readonly inSet: boolean;
  readonly path: PropertyPath;
}

const below = (at: Place, step: string | number, segment: string | number | undefined): Place => ({
  tf: at.inSet ? at.tf : [...at.tf, step],
  inSet: at.inSet,
  path: segment === undefined ? at.path : [...at.path, segment],
});

function objectValue(shape: ObjectShape, properties: PropertyMap, at: Place, walk: Walk): TfValue {
  const made: [string, TfValue][] = [];
  for (const key of Object.keys(properties)) {
    const part = shape.byProperty.get(key);
    const given = properties[key] as PropertyValue;
    if (part !== undefined) {
      const value = formed(part.form, given, below(at, part.attribute, key), walk);
      if (value !== null || !(part.isBlock || part.required)) made.push([part.attribute, value]);
    } else if (!key.startsWith('__') && given !== null) {
      walk.failures.push({ path: [...at.path, key], reason: notKnown(shape, key) });
    }
  }
  // Missing optional values are null: objects of a fixed type have every attribute.
  const names = new Set(made.map(([name]) => name));
  for (const part of shape.parts) {
    if (!names.has(part.attribute) && !part.required && !part.isBlock) made.push([part.attribute, null]);
  }
  return record(made);
}

function notKnown(shape: ObjectShape, key: string): string {
  const written = shape.byAttribute.get(key);
  if (written !== undefined) return `there is no such property (it is called ${written.property})`;
  const names = shape.parts.map(({ property }) => property).sort();
  return `there is no such property (there are ${names.join(', ')})`;
}

function formed(form: Form, given: PropertyValue, at: Place, walk: Walk): TfValue {
  const value = bare(given, at, walk);
  if (value === null) return null;
  if (isUnknown(value)) return UNKNOWN_VALUE;
  switch (form.t) {
    case 'value':
      return plain(value, at, walk);
    case 'one': {
      const place = form.of === 'set' ? { ...at, inSet: true } : below(at, 0, undefined);
      return Object.freeze([formed(form.element, value, place, walk)]);
    }
    case 'list':
    case 'set':
      if (!isArray(value)) return plain(value, at, walk);
      return Object.freeze(
        value.map((each, index) => {
          const place = form.t === 'set' ? { ...at, inSet: true } : at;
          return formed(form.element, each, below(place, index, index), walk);
        }),
      );
    case 'tuple':
      if (!isArray(value)) return plain(value, at, walk);
      return Object.freeze(
        value.map((each, index) => {
          const element = form.elements[index];
          const place = below(at, index, index);
          return element === undefined ? plain(each, place, walk) : formed(element, each, place, walk);
        }),
      );
    case 'map':
      if (!isMap(value)) return plain(value, at, walk);
      return record(
        Object.keys(value).map((key) => [
          key,
          formed(form.element, value[key] as PropertyValue, below(at, key, key), walk),
        ]),
      );
    case 'object':
      return isMap(value) ? objectValue(form.shape, value, at, walk) : plain(value, at, walk);
  }
}

/** Returns a value without its secret mark, which is recorded. */
function bare(given: PropertyValue, at: Place, walk: Walk): PropertyValue {
  if (!isSecret(given)) return given;
  let value: PropertyValue = given;
  while (isSecret(value)) value = value.value;
  walk.secrets.push(at.tf);
  return value;
}

/** Converts a value in which no name comes from the schema. */
function plain(given: PropertyValue, at: Place, walk: Walk): TfValue {
  const value = bare(given, at, walk);
  const refused = (reason: string): null => {
    walk.failures.push({ path: at.path, reason });
    return null;
  };
  switch (kindOf(value)) {
    case 'number':
      return Number.isNaN(value) ? refused('is not a number') : fromProgram(value as number);
    case 'unknown':
      return UNKNOWN_VALUE;
    case 'array':
      return Object.freeze(
        (value as readonly PropertyValue[]).map((each, index) => plain(each, below(at, index, index), walk)),
      );
    case 'object': {
      const map = value as PropertyMap;
      return record(
        Object.keys(map).map((key) => [key, plain(map[key] as PropertyValue, below(at, key, key), walk)]),
      );
    }
    case 'asset':
    case 'archive':
      return refused(
        'assets and archives cannot be passed to Terraform providers: pass the path or the text',
      );
    case 'bytes':
      return refused('bytes that are not text cannot be passed to Terraform providers');
    default:
      return value as TfValue;
  }
}

/** Returns the value of the block's type, or undefined if it cannot be converted, which is recorded. */
function coerced(shape: BlockShape, raw: TfValue, walk: Walk): TfValue | undefined {
  const { block } = shape;
  try {
    const value = coerce(block, raw);
    for (const { path, message } of blockCounts(block, value))
      walk.failures.push({ path: propertyPath(shape, path), reason: message });
    return value;
  } catch (error) {
    if (!(error instanceof TfValueError)) throw error;
    walk.failures.push(...each(shape, raw));
    return undefined;
  }
}

/** Returns the first failure of each attribute and block. */
function each(shape: BlockShape, raw: TfValue): readonly EdgeFailure[] {
  const given = isRecord(raw) ? raw : record([]);
  return shape.parts.flatMap((part) => {
    const value = given[part.attribute];
    try {
      coerce(only(shape.block, part), record(value === undefined ? [] : [[part.attribute, value]]));
      return [];
    } catch (error) {
      if (!(error instanceof TfValueError)) throw error;
      return [failureOf(shape, error, raw)];
    }
  });
}

function failureOf(shape: ObjectShape, { path, reason }: TfValueError, raw: TfValue): EdgeFailure {
  const at = propertyPath(shape, path, raw);
  const missing = /^attribute "(.+)" is required$/.exec(reason)?.[1];
  if (missing === undefined) return { path: at, reason };
  const named = propertyPath(shape, [...path, missing], raw);
  return { path: named, reason: 'is required' };
}

/** Returns the block with only one of its parts. */
function only(block: Block, { attribute }: Part): Block {
  const of = <T>(from: ReadonlyMap<string, T>) => namedMap([...from].filter(([name]) => name === attribute));
  return { attributes: of(block.attributes), blocks: of(block.blocks) };
}
