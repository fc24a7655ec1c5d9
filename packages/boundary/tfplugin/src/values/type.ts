/** Type by which a value is read; frozen. `dynamic` marks a place whose value brings its own type. */
export type TfType = 'string' | 'number' | 'bool' | 'dynamic' | CollectionType | TupleType | ObjectType;

/** Any number of elements of one type. */
interface CollectionType {
  readonly kind: 'list' | 'set' | 'map';
  readonly element: TfType;
}

/** Fixed number of elements, each of its own type. */
interface TupleType {
  readonly kind: 'tuple';
  readonly elements: readonly TfType[];
}

/** Named attributes, in the order of their names. */
export interface ObjectType {
  readonly kind: 'object';
  readonly attributes: Readonly<Record<string, TfType>>;
}

/** Error: the protocol does not have this type, or its text is malformed. */
export class TypeJsonError extends Error {
  override readonly name = 'TypeJsonError';
}

const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'number', 'bool', 'dynamic']);
/** Maximum depth of nested types. */
const MOST_DEEP = 500;

/** Returns the type of lists of `element`. */
export const listOf = (element: TfType): TfType => collection('list', element);
/** Returns the type of sets of `element`. */
export const setOf = (element: TfType): TfType => collection('set', element);
/** Returns the type of maps of `element`. */
export const mapOf = (element: TfType): TfType => collection('map', element);
/** Returns the type of tuples of these elements. */
export const tupleOf = (elements: readonly TfType[]): TfType =>
  Object.freeze({ kind: 'tuple', elements: Object.freeze([...elements]) });

/** Returns the type of objects with these attributes. */
export function objectOf(attributes: Readonly<Record<string, TfType>>): ObjectType {
  const sorted = Object.create(null) as Record<string, TfType>;
  for (const name of Object.keys(attributes).sort(byBytes)) sorted[name] = attributes[name] as TfType;
  return Object.freeze({ kind: 'object', attributes: Object.freeze(sorted) });
}

/** Collection types with a primitive element, one object each. */
const interned = new Map<string, CollectionType>();

function collection(kind: CollectionType['kind'], element: TfType): TfType {
  if (typeof element !== 'string') return Object.freeze({ kind, element });
  const key = `${kind} ${element}`;
  let type = interned.get(key);
  if (type === undefined) interned.set(key, (type = Object.freeze({ kind, element })));
  return type;
}

/** Compares two types for equality. */
export function equalTypes(a: TfType, b: TfType): boolean {
  if (a === b) return true;
  if (typeof a === 'string' || typeof b === 'string') return false;
  if (a.kind === 'tuple') {
    return (
      b.kind === 'tuple' &&
      a.elements.length === b.elements.length &&
      a.elements.every((each, index) => equalTypes(each, b.elements[index] as TfType))
    );
  }
  if (a.kind !== 'object') return a.kind === b.kind && equalTypes(a.element, b.element);
  if (b.kind !== 'object') return false;
  const names = Object.keys(a.attributes);
  return (
    names.length === Object.keys(b.attributes).length &&
    names.every((name) => {
      const other = b.attributes[name];
      return other !== undefined && equalTypes(a.attributes[name] as TfType, other);
    })
  );
}

/** Looks for `dynamic` anywhere in a type. */
export function hasDynamic(type: TfType): boolean {
  if (typeof type === 'string') return type === 'dynamic';
  if (type.kind === 'tuple') return type.elements.some(hasDynamic);
  if (type.kind === 'object') return Object.values(type.attributes).some(hasDynamic);
  return hasDynamic(type.element);
}

/** Returns the protocol's JSON of a type, as text. Names of attributes are in the order of their bytes. */
export function typeJson(type: TfType): string {
  if (typeof type === 'string') return `"${type}"`;
  if (type.kind === 'tuple') return `["tuple",[${type.elements.map(typeJson).join(',')}]]`;
  if (type.kind !== 'object') return `["${type.kind}",${typeJson(type.element)}]`;
  const attributes = Object.keys(type.attributes).sort(byBytes);
  const texts = attributes.map(
    (name) => `${JSON.stringify(name)}:${typeJson(type.attributes[name] as TfType)}`,
  );
  return `["object",{${texts.join(',')}}]`;
}

/** Parses the protocol's JSON of a type. Throws {@link TypeJsonError}. */
export function parseType(text: string): TfType {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new TypeJsonError(`the type ${shortened(text)} is not JSON`, { cause: error });
  }
  return typeFromJson(json);
}

/**
 * Converts parsed JSON to a type. The list of optional attributes of an object is dropped. Throws {@link
 * TypeJsonError}.
 */
export function typeFromJson(json: unknown, depth = 0): TfType {
  if (PRIMITIVES.has(json)) return json as TfType;
  if (depth > MOST_DEEP) throw new TypeJsonError(`a type is nested more than ${MOST_DEEP} deep`);
  if (Array.isArray(json)) {
    const [kind, of, optional] = json as unknown[];
    const within = (each: unknown) => typeFromJson(each, depth + 1);
    if (json.length === 2 && (kind === 'list' || kind === 'set' || kind === 'map')) {
      return collection(kind, within(of));
    }
    if (json.length === 2 && kind === 'tuple' && Array.isArray(of)) return tupleOf(of.map(within));
    const objectLike = json.length === 2 || (json.length === 3 && Array.isArray(optional));
    if (objectLike && kind === 'object' && isRecord(of)) {
      const attributes = Object.create(null) as Record<string, TfType>;
      for (const name of Object.keys(of)) attributes[name.normalize('NFC')] = within(of[name]);
      return objectOf(attributes);
    }
  }
  throw new TypeJsonError(`${shortened(JSON.stringify(json))} is not a type`);
}

/** Names a type for users: `list of string`, `object`. */
export function typeDescription(type: TfType): string {
  if (type === 'dynamic') return 'any type';
  if (typeof type === 'string') return type;
  return type.kind === 'tuple' || type.kind === 'object'
    ? type.kind
    : `${type.kind} of ${typeDescription(type.element)}`;
}

/** Compares texts by their UTF-8 bytes. */
export function byBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const one = a.charCodeAt(at);
    const other = b.charCodeAt(at);
    // Code units of surrogate pairs represent code points above all others.
    if (one !== other) return surrogateLast(one) - surrogateLast(other);
  }
  return a.length - b.length;
}

function surrogateLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shortened(text: string | undefined): string {
  return text === undefined ? 'undefined' : text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
