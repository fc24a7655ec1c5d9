import {
  decode,
  encode,
  fromJson,
  record,
  TfValueError,
  toJson,
  typeFromJson,
  typeJson,
} from '../src/index.js';
import type { TfType } from '../src/index.js';
import { casesOf } from './cases.js';
import type { Case } from './cases.js';
import { readTyped } from '../src/notation/index.js';

const readValue = (type: TfType, json: unknown) => readTyped(type, json as never).value;
const typeOf = (each: Case) => typeFromJson(each.type);
const expected = (each: Case) => each.expect as { hex?: string; json?: string; value?: never; error?: true };
const titled = (name: string) =>
  casesOf('encoding', name).map((each) => {
    const of = JSON.stringify(each.value ?? each.hex ?? each.json);
    return [`${each.id} ${typeJson(typeOf(each))} ${of}`, each] as const;
  });

describe('values as msgpack [TFV-7]', () => {
  test.each(titled('EncodeMsgpack'))('%s', (_, each) => {
    const value = readValue(typeOf(each), each.value);
    const bytes = encode(typeOf(each), value);
    expect(Buffer.from(bytes).toString('hex')).toBe(expected(each).hex);
    expect(decode(typeOf(each), bytes)).toEqual(value);
  });
});

describe('msgpack as values [TFV-7]', () => {
  test.each(titled('DecodeMsgpack'))('%s', (_, each) => {
    const read = () => decode(typeOf(each), Buffer.from(each.hex as string, 'hex'));
    if (expected(each).error) return expect(read).toThrow(TfValueError);
    // The one value that lacks parts of its type.
    const empty = each.hex === '80' ? record([]) : undefined;
    return expect(read()).toEqual(empty ?? readValue(typeOf(each), expected(each).value));
  });
});

describe('values as JSON [TFV-8]', () => {
  test.each(titled('EncodeJSON'))('%s', (_, each) => {
    const value = readValue(typeOf(each), each.value);
    expect(toJson(typeOf(each), value)).toBe(expected(each).json);
    expect(fromJson(typeOf(each), expected(each).json as string)).toEqual(value);
  });
});

describe('JSON as values [TFV-8]', () => {
  test.each(titled('DecodeJSON'))('%s', (_, each) => {
    const read = () => fromJson(typeOf(each), each.json as string);
    if (expected(each).error) return expect(read).toThrow(TfValueError);
    return expect(read()).toEqual(readValue(typeOf(each), expected(each).value));
  });
});
