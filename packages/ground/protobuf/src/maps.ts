/**
 * Maps of the protocol. Generated code represents them as `Map`, contracts as records without a prototype. In both, any
 * key is data, `__proto__` too.
 */

/** Encodes a record for the wire. `encode` makes the values; without it they remain as they are. */
export function encodeMap<V, W = V>(
  record: Readonly<Record<string, V>>,
  encode: (value: V) => W = asIs,
): Map<string, W> {
  const keys = Object.keys(record);
  if (keys.length === 0) return NO_ENTRIES as Map<string, W>;
  const map = new Map<string, W>();
  for (const key of keys) map.set(key, encode(record[key] as V));
  return map;
}

/** Encoded form of every empty record. Sharing it is safe because messages are only read. */
const NO_ENTRIES: Map<string, unknown> = new Map();

/** Decodes a map from the wire. `decode` makes the values; without it they remain as they are. */
export function decodeMap<W, V = W>(
  map: ReadonlyMap<string, W>,
  decode: (value: W) => V = asIs,
): Record<string, V> {
  if (map.size === 0) return NO_MEMBERS as Record<string, V>;
  // V8 keeps a shape for it, which it does not for an object from Object.create(null).
  const record = Object.setPrototypeOf({}, null) as Record<string, V>;
  map.forEach((value, key) => (record[key] = decode(value)));
  return record;
}

/** Decoded form of every empty map. Frozen, because it is shared. */
const NO_MEMBERS: Readonly<Record<string, never>> = Object.freeze(
  Object.create(null) as Record<string, never>,
);

function asIs<A, B>(value: A): B {
  return value as unknown as B;
}
