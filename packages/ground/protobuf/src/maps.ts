/**
 * Maps of the protocol. Generated code has them as `Map`; contracts as records without a prototype. Either way any key,
 * `__proto__` too, is data.
 */

/** A record for the wire; `encode` makes the values, which are taken as they are without it. */
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

/** What every empty record is on the wire; messages are only read. */
const NO_ENTRIES: Map<string, unknown> = new Map();

/** A map from the wire; `decode` makes the values, which are taken as they are without it. */
export function decodeMap<W, V = W>(
  map: ReadonlyMap<string, W>,
  decode: (value: W) => V = asIs,
): Record<string, V> {
  const record = Object.create(null) as Record<string, V>;
  map.forEach((value, key) => (record[key] = decode(value)));
  return record;
}

function asIs<A, B>(value: A): B {
  return value as unknown as B;
}
