import { compareNumbers, Decimal, isNumber, numberText } from './decimal.js';
import { equalValues, isWhollyKnown, typeWithin } from './equal.js';
import { byBytes, typeJson } from './type.js';
import type { TfType } from './type.js';
import { Dynamic, TfUnknown } from './value.js';
import type { TfRecord, TfValue } from './value.js';
import type { TfNumber } from './decimal.js';

/**
 * Builds a set: equal elements once, in the order of sets [TFV-4]. Elements with unknown parts are all kept, because
 * they may prove to differ.
 */
export function makeSet(element: TfType, values: readonly TfValue[]): readonly TfValue[] {
  if (values.length < 2) return Object.freeze([...values]);
  const sorted = values.map((value) => ({ value, text: orderText(element, value) }));
  sorted.sort((a, b) => compareKeyed(element, a, b));
  const kept: TfValue[] = [];
  let start = 0;
  let text: string | undefined;
  for (const each of sorted) {
    // Equal elements have the same text; elements with the same text are adjacent.
    if (each.text !== text) start = kept.length;
    text = each.text;
    const again =
      isWhollyKnown(each.value) && kept.slice(start).some((other) => equalValues(element, other, each.value));
    if (!again) kept.push(each.value);
  }
  return Object.freeze(kept);
}

interface Keyed {
  readonly value: TfValue;
  readonly text: string;
}

/** Compares two elements of a set: null last, unknown before null, then by value. Equal elements give 0 [TFV-4]. */
function compareKeyed(element: TfType, a: Keyed, b: Keyed): number {
  const byKind = rank(a.value) - rank(b.value);
  if (byKind !== 0 || a.value === null || a.value instanceof TfUnknown) return byKind;
  if (element === 'string') return byBytes(a.value as string, b.value as string);
  if (element === 'bool') return Number(a.value) - Number(b.value);
  if (element === 'number') return compareNumbers(a.value as TfNumber, b.value as TfNumber);
  return byBytes(a.text, b.text);
}

function rank(value: TfValue): number {
  return value === null ? 2 : value instanceof TfUnknown ? 1 : 0;
}

/** Returns the text by which elements of compound types are ordered. */
function orderText(type: TfType, value: TfValue): string {
  if (value instanceof TfUnknown) return '?';
  if (value === null) return '~';
  if (value instanceof Dynamic) return orderText(value.type, value.value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  if (isNumber(value)) return tenDigits(value);
  const kind = typeof type === 'string' ? 'object' : type.kind;
  if (kind === 'map') {
    const entries = keysInOrder(value as TfRecord);
    return `{${entries.map((key) => `${quoted(key)}:${within(type, value as TfRecord, key)};`).join('')}}`;
  }
  if (kind === 'object') {
    return `<${keysInOrder(value as TfRecord)
      .map((key) => `${within(type, value as TfRecord, key)};`)
      .join('')}>`;
  }
  const [open, close] = kind === 'tuple' ? '<>' : '[]';
  const elements = value as readonly TfValue[];
  return `${open}${elements.map((each, at) => `${orderText(typeWithin(type, at), each)};`).join('')}${close}`;
}

function within(type: TfType, value: TfRecord, key: string): string {
  return orderText(typeWithin(type, key), value[key] as TfValue);
}

/** Returns the keys of a record in the order of their bytes. */
export function keysInOrder(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(value).sort(byBytes);
}

const PLAIN = /^[ !#-[\]-~]*$/;
const PRINTABLE = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
const ESCAPES: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
});

/** Quotes a text in double quotes, with escapes for characters that cannot be printed. */
function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let inside = '';
  for (const character of text)
    inside += ESCAPES[character] ?? (PRINTABLE.test(character) ? character : escape(character));
  return `"${inside}"`;
}

function escape(character: string): string {
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Formats a number with ten significant digits. A large or small one gets an exponent of two digits or more. */
function tenDigits(value: TfNumber): string {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e10) return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf';
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(
    numberText(value),
  ) as RegExpExecArray;
  const digits = (whole + fraction).replace(/^0+/, '');
  const exponent = digits.length - fraction.length - 1;
  const [rounded, carried] = roundedToTen(digits);
  return sign + shown(rounded, exponent + carried);
}

/**
 * Returns the first ten of these digits, rounded half to even, without trailing zeros. The second result is 1 if
 * rounding added a digit.
 */
function roundedToTen(digits: string): [string, number] {
  let kept = BigInt(digits.slice(0, 10));
  const rest = digits.slice(10);
  const half = `5${'0'.repeat(Math.max(0, rest.length - 1))}`;
  if (rest !== '' && (rest > half || (rest === half && kept % 2n === 1n))) kept += 1n;
  const text = String(kept);
  return [text.replace(/0+$/, ''), text.length - Math.min(10, digits.length)];
}

function shown(digits: string, exponent: number): string {
  if (exponent < -4 || exponent >= 10) {
    const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, '0');
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** Compares two values for equality, judged by the values alone. For steps of paths, which have no type. */
export function sameElement(a: TfValue, b: TfValue): boolean {
  if (a === b) return true;
  if (a instanceof Dynamic || b instanceof Dynamic) {
    return (
      a instanceof Dynamic &&
      b instanceof Dynamic &&
      typeJson(a.type) === typeJson(b.type) &&
      sameElement(a.value, b.value)
    );
  }
  if (a instanceof TfUnknown || b instanceof TfUnknown) return equalValues('dynamic', a, b);
  if (a instanceof Decimal || b instanceof Decimal)
    return isNumber(a) && isNumber(b) && compareNumbers(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) => key in b && sameElement((a as TfRecord)[key] as TfValue, (b as TfRecord)[key] as TfValue),
    )
  );
}
