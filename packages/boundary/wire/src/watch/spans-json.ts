import { BinaryReader } from '@cairn/protobuf';

/**
 * Converts spans of OpenTelemetry's protocol to the JSON of that protocol. Throws the errors of the protobuf reader.
 */
export function spansJson(body: Uint8Array): object {
  return read(REQUEST, body);
}

/** Fields by number: name in JSON, type, and `many` for a repeated field. */
type Fields = Readonly<Record<number, readonly [name: string, type: Type, many?: 'many']>>;
type Type =
  | 'text'
  | 'hex'
  | 'base64'
  | 'count'
  | 'whole'
  | 'fixed64'
  | 'fixed32'
  | 'double'
  | 'switch'
  | (() => Fields);

const KEY_VALUE: Fields = { 1: ['key', 'text'], 2: ['value', () => VALUE] };
const VALUE: Fields = {
  1: ['stringValue', 'text'],
  2: ['boolValue', 'switch'],
  3: ['intValue', 'whole'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', () => ({ 1: ['values', () => VALUE, 'many'] })],
  6: ['kvlistValue', () => ({ 1: ['values', () => KEY_VALUE, 'many'] })],
  7: ['bytesValue', 'base64'],
};
const attributes = ['attributes', () => KEY_VALUE, 'many'] as const;
const SPAN: Fields = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  3: ['traceState', 'text'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'count'],
  7: ['startTimeUnixNano', 'fixed64'],
  8: ['endTimeUnixNano', 'fixed64'],
  9: attributes,
  10: ['droppedAttributesCount', 'count'],
  11: ['events', () => ({ 1: ['timeUnixNano', 'fixed64'], 2: ['name', 'text'], 3: attributes }), 'many'],
  13: [
    'links',
    () => ({ 1: ['traceId', 'hex'], 2: ['spanId', 'hex'], 3: ['traceState', 'text'], 4: attributes }),
    'many',
  ],
  15: ['status', () => ({ 2: ['message', 'text'], 3: ['code', 'count'] })],
  16: ['flags', 'fixed32'],
};
const SCOPE_SPANS: Fields = {
  1: ['scope', () => ({ 1: ['name', 'text'], 2: ['version', 'text'], 3: attributes })],
  2: ['spans', () => SPAN, 'many'],
  3: ['schemaUrl', 'text'],
};
const RESOURCE_SPANS: Fields = {
  1: ['resource', () => ({ 1: attributes })],
  2: ['scopeSpans', () => SCOPE_SPANS, 'many'],
  3: ['schemaUrl', 'text'],
};
const REQUEST: Fields = { 1: ['resourceSpans', () => RESOURCE_SPANS, 'many'] };

function read(fields: Fields, body: Uint8Array): Record<string, unknown> {
  const reader = new BinaryReader(body);
  const found: Record<string, unknown> = {};
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = fields[tag >>> 3];
    if (field === undefined) {
      reader.skip(tag & 7);
      continue;
    }
    const [name, type, many] = field;
    const value = typeof type === 'function' ? read(type(), reader.bytes()) : SCALARS[type](reader);
    if (many === undefined) found[name] = value;
    else ((found[name] ??= []) as unknown[]).push(value);
  }
  return found;
}

/** Readers by type. Identifiers are hexadecimal and large numbers are texts in this JSON. */
const SCALARS = {
  text: (reader: BinaryReader) => reader.string(),
  hex: (reader: BinaryReader) => Buffer.from(reader.bytes()).toString('hex'),
  base64: (reader: BinaryReader) => Buffer.from(reader.bytes()).toString('base64'),
  count: (reader: BinaryReader) => reader.uint32(),
  whole: (reader: BinaryReader) => String(reader.int64()),
  fixed64: (reader: BinaryReader) => {
    const at = reader.pos;
    reader.skip(1);
    return String(reader.buf.readBigUInt64LE(at));
  },
  fixed32: (reader: BinaryReader) => {
    const at = reader.pos;
    reader.skip(5);
    return reader.buf.readUInt32LE(at);
  },
  double: (reader: BinaryReader) => reader.double(),
  switch: (reader: BinaryReader) => reader.bool(),
} satisfies Record<Exclude<Type, () => Fields>, (reader: BinaryReader) => unknown>;
