import { BinaryReader } from '@cairn/protobuf';

/** Parts of a message by their names. A `Map` is one, too. */
export interface NamedParts<V> {
  keys(): Iterable<string>;
  get(name: string): V | undefined;
}

/** Message whose named parts are decoded on demand. */
export type Lazy<M> = {
  readonly [K in keyof M]: M[K] extends Map<string, infer V> ? NamedParts<V> : M[K];
};

/** Fields of a message that have parts by name, by their number. */
type NamedFields<M> = Readonly<
  Record<number, { [K in keyof M]: M[K] extends Map<string, unknown> ? K : never }[keyof M]>
>;

interface Codec<M> {
  decode(bytes: Uint8Array): M;
}

/**
 * Decodes a message without its named parts, which are only located, and decoded one by one on demand. A provider has
 * thousands of schemas, and an operation needs a few. `bytes` must not change afterwards. Throws
 * `MalformedMessageError`, also when a part is read.
 */
export function lazyAnswer<M extends object>(
  codec: Codec<M>,
  fields: NamedFields<M>,
  bytes: Uint8Array,
): Lazy<M> {
  const { rest, spans } = cut(bytes, new Set(Object.keys(fields).map(Number)));
  const message = codec.decode(rest);
  const named = Object.entries(fields).flatMap(([number, field]) => {
    // A protocol that lacks the field has no table either.
    if (!(field in message)) return [];
    return [[field, partsOf(codec, field, bytes, spans.get(Number(number)) ?? new Map())]];
  });
  return { ...message, ...Object.fromEntries(named) };
}

/** Start and end of an entry, including its field number and length. */
type Span = readonly [start: number, end: number];

function cut(bytes: Uint8Array, named: ReadonlySet<number>) {
  const reader = new BinaryReader(bytes);
  const spans = new Map<number, Map<string, Span>>([...named].map((number) => [number, new Map()]));
  const rest: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const tag = reader.uint32();
    const table = (tag & 7) === 2 ? spans.get(tag >>> 3) : undefined;
    if (table === undefined) {
      reader.skip(tag & 7);
      rest.push(bytes.subarray(start, reader.pos));
    } else {
      const name = nameOf(reader.bytes());
      table.set(name, [start, reader.pos]);
    }
  }
  return { rest: Buffer.concat(rest), spans };
}

/** Returns the name of an entry: its first field. */
function nameOf(entry: Uint8Array): string {
  const reader = new BinaryReader(entry);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === 10) return reader.string();
    reader.skip(tag & 7);
  }
  return '';
}

function partsOf<M extends object>(
  codec: Codec<M>,
  field: keyof M,
  bytes: Uint8Array,
  spans: ReadonlyMap<string, Span>,
): NamedParts<unknown> {
  return {
    keys: () => spans.keys(),
    get: (name) => {
      const span = spans.get(name);
      if (span === undefined) return undefined;
      const message = codec.decode(bytes.subarray(...span));
      return (message[field] as Map<string, unknown>).get(name);
    },
  };
}
