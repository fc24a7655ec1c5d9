import { decode, encode, fromJson, mapOf, objectOf, record, toJson, typeFromJson } from '../src/index.js';
import type { TfValue } from '../src/index.js';

/** The same text in two forms: a letter with its accent, and the letter followed by the accent. */
const COMPOSED = 'caf\u00e9';
const APART = 'cafe\u0301';
const type = objectOf({ name: 'string', tags: mapOf('string') });
const valueWith = (text: string): TfValue =>
  record([
    ['name', text],
    ['tags', record([[text, text]])],
  ]);

describe('texts, keys and names are in the composed form, wherever they come from [TFV-5]', () => {
  test('the two forms are the same text', () => {
    expect(APART).not.toBe(COMPOSED);
    expect(APART.normalize('NFC')).toBe(COMPOSED);
  });

  test('msgpack that is read', () => {
    expect(decode(type, encode(type, valueWith(APART)))).toEqual(valueWith(COMPOSED));
  });

  test('JSON that is read', () => {
    const read = fromJson(type, JSON.stringify({ name: APART, tags: { [APART]: APART } }));
    expect(read).toEqual(valueWith(COMPOSED));
    expect(JSON.parse(toJson(type, read))).toEqual({ name: COMPOSED, tags: { [COMPOSED]: COMPOSED } });
  });

  test('names of attributes of a type that is read', () => {
    expect(typeFromJson(['object', { [APART]: 'string' }])).toEqual(objectOf({ [COMPOSED]: 'string' }));
  });
});
