import { decode, encode, ExtData } from '@msgpack/msgpack';
import { equalNumbers, fromDouble, fromInteger, fromProgram, parseNumber } from '../values/decimal.js';
import type { TfNumber } from '../values/decimal.js';
import type { TfType } from '../values/type.js';
import { TfUnknown, UNKNOWN_VALUE } from '../values/value.js';
import type { Bound, Refinement, TfValue } from '../values/value.js';
import { numberTree } from './number-tree.js';
import { TfValueError } from './value-error.js';

/** Code of the extension for an unknown value with a refinement. */
const REFINED = 12;
const MOST_BYTES = 1024;
const MOST_PREFIX_BYTES = 256;

/** Form of an unknown value without a refinement. @internal */
export const PLAIN_UNKNOWN = new ExtData(0, new Uint8Array(1));

/** Keys of the map in the extension. */
const KEY = { nullness: 1, prefix: 2, min: 3, max: 4, lengthMin: 5, lengthMax: 6 } as const;

/** Converts an unknown value of a type to an extension. For a dynamic type the refinement is not written. @internal */
export function refinementTree(type: TfType, refinement: Refinement): ExtData {
  const parts: Uint8Array[] = [];
  const add = (key: number, value: unknown) =>
    parts.push(Uint8Array.of(key), encode(value, { useBigInt64: true }));
  if (type !== 'dynamic' && refinement.notNull) add(KEY.nullness, false);
  if (type === 'string' && refinement.prefix) add(KEY.prefix, shortened(refinement.prefix));
  if (type === 'number') {
    if (refinement.min && refinement.min.value !== -Infinity) add(KEY.min, boundTree(refinement.min));
    if (refinement.max && refinement.max.value !== Infinity) add(KEY.max, boundTree(refinement.max));
  }
  if (isCollection(type)) {
    if (refinement.lengthMin) add(KEY.lengthMin, refinement.lengthMin);
    if (refinement.lengthMax !== undefined) add(KEY.lengthMax, refinement.lengthMax);
  }
  if (parts.length === 0) return PLAIN_UNKNOWN;
  return new ExtData(REFINED, Buffer.concat([Uint8Array.of(0x80 | (parts.length / 2)), ...parts]));
}

function boundTree({ value, inclusive }: Bound): unknown {
  return [numberTree(value), inclusive];
}

/** Shortens a prefix to the limit. The last character is left out, because the following text might change it. */
function shortened(prefix: string): string {
  if (Buffer.byteLength(prefix) <= MOST_PREFIX_BYTES) return prefix;
  let kept = '';
  let size = 0;
  let last = '';
  for (const { segment } of new Intl.Segmenter().segment(prefix)) {
    size += Buffer.byteLength(segment);
    if (size >= MOST_PREFIX_BYTES) return kept;
    kept += last;
    last = segment;
  }
  return kept;
}

function isCollection(type: TfType): boolean {
  return typeof type !== 'string' && type.kind !== 'object' && type.kind !== 'tuple';
}

/**
 * Reads the value of an extension: unknown, or a known value if the extension leaves only one. Throws {@link
 * TfValueError}.
 * @internal
 */
export function readExtension(type: TfType, { type: code, data }: ExtData): TfValue {
  const body = typeof data === 'function' ? data(0) : data;
  if (body.length <= 1) return UNKNOWN_VALUE;
  if (code !== REFINED) throw new TfValueError(`extension ${code} of ${body.length} bytes is not in use`);
  if (body.length > MOST_BYTES) throw new TfValueError('the refinement of an unknown value is too long');
  const map = readMap(body);
  if (type === 'dynamic') return UNKNOWN_VALUE;
  if (map.get(KEY.nullness) === true) return null;
  return collapsed(type, readRefinement(type, map));
}

/**
 * Decodes the map of an extension. The library reads keys of texts and numbers, and writes them into properties as
 * texts.
 */
function readMap(body: Uint8Array): ReadonlyMap<number, unknown> {
  let map: unknown;
  try {
    map = decode(body, { useBigInt64: true });
  } catch (error) {
    throw new TfValueError(`the refinement of an unknown value cannot be read: ${(error as Error).message}`);
  }
  if (typeof map !== 'object' || map === null || Array.isArray(map) || map instanceof ExtData) {
    throw new TfValueError('the refinement of an unknown value is not a map');
  }
  const entries = Object.entries(map).map(([key, value]) => [Number(key), value] as const);
  if (entries.some(([key]) => !Number.isInteger(key))) {
    throw new TfValueError('the refinement of an unknown value has a key that is not an integer');
  }
  return new Map(entries);
}

function readRefinement(type: TfType, map: ReadonlyMap<number, unknown>): Refinement {
  const read = <T>(key: number, fits: boolean, as: (value: unknown) => T | undefined): T | undefined => {
    if (!map.has(key)) return undefined;
    const value = fits ? as(map.get(key)) : undefined;
    if (value === undefined)
      throw new TfValueError(`an unknown value has property ${key}, which is malformed or of another type`);
    return value;
  };
  const notNull = read(KEY.nullness, true, (value) => (value === false ? true : undefined));
  const prefix = read(KEY.prefix, type === 'string', (value) =>
    typeof value === 'string' ? value : undefined,
  );
  const min = read(KEY.min, type === 'number', readBound);
  const max = read(KEY.max, type === 'number', readBound);
  const lengthMin = read(KEY.lengthMin, isCollection(type), readLength);
  const lengthMax = read(KEY.lengthMax, isCollection(type), readLength);
  return {
    ...(notNull && { notNull }),
    ...(prefix && { prefix: prefix.normalize('NFC') }),
    ...(min && { min }),
    ...(max && { max }),
    ...(lengthMin && { lengthMin }),
    ...(lengthMax !== undefined && { lengthMax }),
  };
}

function readLength(value: unknown): number | undefined {
  const length = typeof value === 'bigint' ? Number(value) : value;
  return typeof length === 'number' && Number.isInteger(length) && length >= 0 ? length : undefined;
}

function readBound(value: unknown): Bound | undefined {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[1] !== 'boolean') return undefined;
  const number = readNumber(value[0]);
  return number === undefined ? undefined : Object.freeze({ value: number, inclusive: value[1] });
}

/** Reads a number of the library's tree. A double becomes the decimal that is printed for it [TFV-3]. */
export function readNumber(tree: unknown): TfNumber | undefined {
  if (typeof tree === 'number')
    return Number.isNaN(tree) ? undefined : Number.isInteger(tree) ? fromDouble(tree) : fromProgram(tree);
  if (typeof tree === 'bigint') return fromInteger(tree);
  return typeof tree === 'string' ? parseNumber(tree) : undefined;
}

/** Returns the known value if a refinement leaves only one, otherwise the unknown value. */
function collapsed(type: TfType, refinement: Refinement): TfValue {
  const { notNull, min, max, lengthMin = 0, lengthMax } = refinement;
  if (!notNull) return TfUnknown.refined(refinement);
  if (min?.inclusive && max?.inclusive && equalNumbers(min.value, max.value)) return min.value;
  if (lengthMin !== lengthMax || typeof type === 'string') return TfUnknown.refined(refinement);
  if (lengthMax === 0)
    return type.kind === 'map' ? Object.freeze(Object.create(null) as object as never) : Object.freeze([]);
  const elements = type.kind === 'list' || (type.kind === 'set' && lengthMax === 1);
  return elements && lengthMax <= MOST_BYTES
    ? Object.freeze(Array.from({ length: lengthMax }, () => UNKNOWN_VALUE))
    : TfUnknown.refined(refinement);
}
