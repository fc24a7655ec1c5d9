import type { Urn } from '@cairn/addresses';

/**
 * Any value that crosses a boundary between program, engine, provider and state. One form per meaning: plain JSON
 * values are plain JavaScript values; everything special is one of the marked classes below. Values are immutable: do
 * not change a map or an array after handing it on.
 */
export type PropertyValue =
  | null
  | boolean
  | number
  | string
  | PropertyArray
  | PropertyMap
  | Secret
  | Unknown
  | OutputValue
  | Asset
  | Archive
  | ResourceReference
  | ByteString;

/** A list of values. */
export type PropertyArray = readonly PropertyValue[];

/**
 * Values by key. Made with {@link propertyMap} or {@link emptyMap} it has no prototype, so any key is data, `__proto__`
 * included. Read with `Object.keys`/`Object.entries`, or {@link getProperty} when the map may be a literal.
 */
export interface PropertyMap {
  readonly [key: string]: PropertyValue;
}

const KIND = Symbol.for('cairn.value.kind');

type MarkedKind = 'secret' | 'unknown' | 'output' | 'asset' | 'archive' | 'reference' | 'bytes';

abstract class Marked {
  declare readonly [KIND]: MarkedKind;
}

function mark(constructor: { prototype: Marked }, kind: MarkedKind): void {
  Object.defineProperty(constructor.prototype, KIND, { value: kind });
}

/** A value that must not be shown or stored in the clear. */
export class Secret extends Marked {
  constructor(readonly value: PropertyValue) {
    super();
    Object.freeze(this);
  }
}

/** A value that is not known yet. There is one: {@link UNKNOWN}. */
export class Unknown extends Marked {}

/**
 * A program's output crossing the wire. It may be unknown (`value` is undefined) or secret, and names the resources it
 * came from. Only remote components, calls and transforms see these; see {@link plainOutputs}.
 */
export class OutputValue extends Marked {
  constructor(
    readonly value: PropertyValue | undefined,
    readonly secret: boolean,
    readonly dependencies: readonly Urn[],
  ) {
    super();
    Object.freeze(this);
  }
}

/** Source of the bytes of an asset. If none of the three is given, only the hash is left. */
interface AssetSource {
  readonly text?: string | undefined;
  readonly path?: string | undefined;
  readonly uri?: string | undefined;
  /** Lower-case hex SHA-256 of the content. */
  readonly hash?: string | undefined;
}

/** A blob of bytes. Two assets are equal when their hashes are. */
// [VAL-5] [VAL-6]
export class Asset extends Marked {
  readonly text: string | undefined;
  readonly path: string | undefined;
  readonly uri: string | undefined;
  readonly hash: string | undefined;

  constructor(source: AssetSource) {
    super();
    this.text = source.text;
    this.path = source.path;
    this.uri = source.uri;
    this.hash = source.hash;
    Object.freeze(this);
  }
}

/** Source of the members of an archive. */
interface ArchiveSource {
  readonly assets?: { readonly [name: string]: Asset | Archive } | undefined;
  readonly path?: string | undefined;
  readonly uri?: string | undefined;
  /** Lower-case hex SHA-256 of the contents. */
  // Exact input of the hash: see [VAL-6].
  readonly hash?: string | undefined;
}

/** A collection of assets. */
export class Archive extends Marked {
  readonly assets: { readonly [name: string]: Asset | Archive } | undefined;
  readonly path: string | undefined;
  readonly uri: string | undefined;
  readonly hash: string | undefined;

  constructor(source: ArchiveSource) {
    super();
    this.assets = source.assets;
    this.path = source.path;
    this.uri = source.uri;
    this.hash = source.hash;
    Object.freeze(this);
  }
}

/** Target of a reference to a resource. A component has no `id`; `id` is unknown while the resource is not created. */
interface ReferenceTarget {
  readonly urn: Urn;
  readonly id?: string | Unknown | undefined;
  readonly packageVersion?: string | undefined;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/** A reference to another resource of the same stack. */
export class ResourceReference extends Marked {
  readonly urn: Urn;
  readonly id: string | Unknown | undefined;
  readonly packageVersion: string | undefined;
  readonly name: string | undefined;
  readonly type: string | undefined;

  constructor(target: ReferenceTarget) {
    super();
    this.urn = target.urn;
    this.id = target.id;
    this.packageVersion = target.packageVersion;
    this.name = target.name;
    this.type = target.type;
    Object.freeze(this);
  }
}

/** A string of bytes that are not valid UTF-8; text is always a plain string. */
export class ByteString extends Marked {
  constructor(readonly bytes: Uint8Array) {
    super();
    Object.freeze(this);
  }
}

mark(Secret, 'secret');
mark(Unknown, 'unknown');
mark(OutputValue, 'output');
mark(Asset, 'asset');
mark(Archive, 'archive');
mark(ResourceReference, 'reference');
mark(ByteString, 'bytes');

/**
 * The value that is not known yet. Compare with {@link isUnknown}, not `===`: another copy of this package has its own.
 */
export const UNKNOWN: Unknown = Object.freeze(new Unknown());

/** Kind of a value: the closed set that every switch over values covers. */
export type ValueKind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | MarkedKind;

interface KindToValue {
  null: null;
  boolean: boolean;
  number: number;
  string: string;
  array: PropertyArray;
  object: PropertyMap;
  secret: Secret;
  unknown: Unknown;
  output: OutputValue;
  asset: Asset;
  archive: Archive;
  reference: ResourceReference;
  bytes: ByteString;
}

/** Returns the kind of a value. Recognises values made by another installed copy of this package. */
export function kindOf(value: PropertyValue): ValueKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'array';
      return (value as Marked)[KIND] ?? 'object';
  }
}

/** Narrows a value to one kind. */
export function isKind<K extends ValueKind>(
  value: PropertyValue,
  kind: K,
): value is KindToValue[K] & PropertyValue {
  return kindOf(value) === kind;
}

/** Narrows to {@link Secret}. */
export function isSecret(value: PropertyValue | undefined): value is Secret {
  return value !== undefined && kindOf(value) === 'secret';
}

/** Narrows to the value that is not known yet. */
export function isUnknown(value: PropertyValue | undefined): value is Unknown {
  return value !== undefined && kindOf(value) === 'unknown';
}

/** Narrows to {@link OutputValue}. */
export function isOutputValue(value: PropertyValue | undefined): value is OutputValue {
  return value !== undefined && kindOf(value) === 'output';
}

/** Narrows to a plain map of properties. */
export function isMap(value: PropertyValue | undefined): value is PropertyMap {
  return value !== undefined && kindOf(value) === 'object';
}

/** Narrows to a list. */
export function isArray(value: PropertyValue | undefined): value is PropertyArray {
  return Array.isArray(value);
}

/** Marks a value as secret. A secret remains as it is. */
export function secret(value: PropertyValue): Secret {
  return isSecret(value) ? value : new Secret(value);
}

/** The map without keys. */
export const emptyMap: PropertyMap = Object.freeze(Object.create(null) as PropertyMap);

/** A map that is being built. Hand it on as a {@link PropertyMap} and do not touch it again. */
export type MutablePropertyMap = { [key: string]: PropertyValue };

/** Returns an empty map without prototype, for the caller to fill. */
export function newMap(): MutablePropertyMap {
  return newRecord<PropertyValue>();
}

/**
 * Returns an empty record without prototype, whose keys are data. Unlike an object from `Object.create(null)` it has a
 * shape: V8 needs half of the memory for it, and two thirds of the time.
 */
export function newRecord<V>(): { [key: string]: V } {
  return Object.setPrototypeOf({}, null) as { [key: string]: V };
}

/** Returns a map with the own properties of a literal, without keys whose value is `undefined`. */
export function propertyMap(source: { readonly [key: string]: PropertyValue | undefined }): PropertyMap {
  const map = newMap();
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value !== undefined) map[key] = value;
  }
  return map;
}

/** Returns an own property of a map, whether or not the map has a prototype. */
export function getProperty(map: PropertyMap, key: string): PropertyValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns the map with one property set. */
export function withProperty(map: PropertyMap, key: string, value: PropertyValue): PropertyMap {
  const copy = Object.assign(newMap(), map);
  copy[key] = value;
  return copy;
}

/** Returns the map without the named property; the same map if it has none. */
export function withoutProperty(map: PropertyMap, key: string): PropertyMap {
  if (!Object.hasOwn(map, key)) return map;
  const copy = Object.assign(newMap(), map);
  delete copy[key];
  return copy;
}

/** Tells whether the map has no keys. */
export function isEmptyMap(map: PropertyMap): boolean {
  for (const _key in map) return false;
  return true;
}
