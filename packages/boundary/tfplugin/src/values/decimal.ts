/**
 * Exact number: a `number` if a double has the value, except for integers beyond 2^53-1, which are `bigint`s. All
 * others are a {@link Decimal}.
 */
export type TfNumber = number | bigint | Decimal;

/** Number that is neither a double nor an integer, by its decimal text: `0.1`, without exponent and trailing zeros. */
export class Decimal {
  constructor(readonly text: string) {
    Object.freeze(this);
  }

  toString(): string {
    return this.text;
  }
}

const NUMERAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
/** Maximum number of digits before or after the point. Numbers beyond it are refused. */
const MOST_DIGITS = 100_000;

/** Parses a decimal text, with or without exponent, or `inf`, to the exact number. Undefined if it is not one. */
export function parseNumber(text: string): TfNumber | undefined {
  const found = NUMERAL.exec(text);
  if (found === null) {
    const infinite = INFINITE.exec(text);
    return infinite === null ? undefined : infinite[1] === '-' ? -Infinity : Infinity;
  }
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  if (whole === '' && fraction === '') return undefined;
  const power = Number(exponent);
  if (Math.abs(power) + text.length > MOST_DIGITS) return undefined;
  return fromDigits(sign === '-', whole + fraction, power - fraction.length);
}

/** Returns the number digits × 10^power. */
function fromDigits(negative: boolean, digits: string, power: number): TfNumber {
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return 0;
  const scale = power + digits.length - digits.replace(/0+$/, '').length;
  if (scale >= 0) return fromInteger(BigInt(`${negative ? '-' : ''}${significant}${'0'.repeat(scale)}`));
  const text = pointed(significant, -scale);
  const signed = negative ? `-${text}` : text;
  return isDouble(BigInt(significant), -scale) ? Number(signed) : new Decimal(signed);
}

/** Returns true if digits × 10^-places, with digits no multiple of ten, is exactly a double. */
function isDouble(digits: bigint, places: number): boolean {
  // A double has at most 1074 places. A fraction is a multiple of 2^-places only if 5^places divides its digits.
  if (places > 1074) return false;
  const fives = 5n ** BigInt(places);
  if (digits % fives !== 0n) return false;
  return digits / fives < 1n << 53n;
}

function pointed(digits: string, places: number): string {
  if (digits.length <= places) return `0.${'0'.repeat(places - digits.length)}${digits}`;
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Converts an integer to a number. */
export function fromInteger(value: bigint): number | bigint {
  return value >= -MOST_SAFE && value <= MOST_SAFE ? Number(value) : value;
}

const MOST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns the exact value of a double. Not for NaN. */
export function fromDouble(value: number): number | bigint {
  if (Number.isSafeInteger(value)) return value + 0;
  return Number.isInteger(value) ? BigInt(value) : value;
}

/** Returns the number that a program means by a double: the decimal that is printed for it. Not for NaN. */
export function fromProgram(value: number): TfNumber {
  if (Number.isSafeInteger(value)) return value + 0;
  return parseNumber(String(value)) as TfNumber;
}

export function isNumber(value: unknown): value is TfNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Decimal;
}

/** Returns all digits of a number, without exponent; `inf` and `-inf` if it is not finite. */
export function numberText(value: TfNumber): string {
  if (typeof value !== 'number') return value.toString();
  if (Number.isInteger(value)) return String(BigInt(value));
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  const { digits, places } = scaled(value);
  const text = pointed(String(digits < 0n ? -digits : digits), places).replace(/0+$/, '');
  return digits < 0n ? `-${text}` : text;
}

/** Compares two numbers for equality. */
export function equalNumbers(a: TfNumber, b: TfNumber): boolean {
  if (a instanceof Decimal) return b instanceof Decimal && a.text === b.text;
  return a === b;
}

/** Compares two numbers. */
export function compareNumbers(a: TfNumber, b: TfNumber): number {
  if (!(a instanceof Decimal) && !(b instanceof Decimal)) return a < b ? -1 : a > b ? 1 : 0;
  if (a === Infinity || b === -Infinity) return 1;
  if (a === -Infinity || b === Infinity) return -1;
  const one = scaled(a);
  const other = scaled(b);
  const places = Math.max(one.places, other.places);
  const left = one.digits * 10n ** BigInt(places - one.places);
  const right = other.digits * 10n ** BigInt(places - other.places);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns a finite number as digits × 10^-places. */
function scaled(value: TfNumber): { digits: bigint; places: number } {
  if (typeof value === 'bigint') return { digits: value, places: 0 };
  if (value instanceof Decimal) {
    const [whole = '', fraction = ''] = value.text.split('.');
    return { digits: BigInt(whole + fraction), places: fraction.length };
  }
  let places = 0;
  let rest = value;
  while (!Number.isInteger(rest)) {
    // Doubling is exact. A fraction of a double has at most 1074 binary places.
    rest *= 2;
    places += 1;
  }
  return { digits: BigInt(rest) * 5n ** BigInt(places), places };
}
