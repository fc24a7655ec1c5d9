/** Meaning of a scalar without quotes. Integers are exact; a timestamp is the text that Go prints for it. */
export type ScalarValue = string | boolean | bigint | number | null;

const NULLS: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL']);
const TRUES: ReadonlySet<string> = new Set(['true', 'True', 'TRUE']);
const FALSES: ReadonlySet<string> = new Set(['false', 'False', 'FALSE']);
const INTEGER = /^[-+]?(?:0b[01]+|0o[0-7]+|0x[0-9a-fA-F]+|[0-9]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]|[ ]+)(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{0,9}))?(Z|[-+]\d{2}:\d{2})?)?$/;
const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Resolves an unquoted scalar as the reference reader does [CFG-6]: null, bool, int64, else uint64, else float64,
 * timestamp, text.
 */
export function resolvePlainScalar(text: string): ScalarValue {
  if (NULLS.has(text)) return null;
  if (TRUES.has(text)) return true;
  if (FALSES.has(text)) return false;
  const first = text.charCodeAt(0);
  const numeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e;
  return numeric ? (resolveNumber(text) ?? goTimeText(text) ?? text) : text;
}

/** Words that readers of the older YAML treat as booleans; the reference writer quotes them. */
const OLD_BOOLEAN = /^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)$/;

/** Numbers to the base of sixty; such readers treat times of day as these. */
const OLD_SEXAGESIMAL = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Tells whether a text without quotes would be read as something else, including by readers of the older YAML. */
export function needsQuotes(text: string): boolean {
  return (
    resolvePlainScalar(text) !== text || text === '<<' || OLD_BOOLEAN.test(text) || OLD_SEXAGESIMAL.test(text)
  );
}

function resolveNumber(text: string): bigint | number | undefined {
  const special = /^([-+]?)\.(?:inf|Inf|INF)$/.exec(text);
  if (special !== null) return special[1] === '-' ? -Infinity : Infinity;
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return NaN;
  const digits = text.replaceAll('_', '');
  if (INTEGER.test(digits)) {
    const whole = resolveInteger(digits);
    if (whole !== undefined) return whole >= INT64_MIN && whole <= UINT64_MAX ? whole : Number(whole);
  }
  return FLOAT.test(digits) ? Number(digits) : undefined;
}

/** Resolves an integer. A leading zero means octal; digits 8 and 9 then make it a float (undefined here). */
function resolveInteger(digits: string): bigint | undefined {
  const negative = digits.startsWith('-');
  const unsigned = digits.replace(/^[-+]/, '');
  if (/^0[0-9]+$/.test(unsigned) && /[89]/.test(unsigned)) return undefined;
  const octal = /^0[0-7]+$/.test(unsigned) ? `0o${unsigned.slice(1)}` : unsigned;
  return negative ? -BigInt(octal) : BigInt(octal);
}

/**
 * Returns a timestamp as Go prints it, e.g. `2001-01-01 00:00:00 +0000 UTC`. Returns undefined if the text is not a
 * timestamp or the date does not exist.
 */
function goTimeText(text: string): string | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    zone = 'Z',
  ] = match;
  const date = new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
  );
  const parts = [
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  if (parts.some((part, index) => part !== [month, day, hour, minute, second].map(Number)[index]))
    return undefined;
  const two = (digits: string): string => digits.padStart(2, '0');
  const trimmed = fraction.replace(/0+$/, '');
  const offset = zone.replace(':', '');
  const zoneText = zone === 'Z' || offset === '+0000' ? '+0000 UTC' : `${offset} ${offset}`;
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}${trimmed === '' ? '' : `.${trimmed}`} ${zoneText}`;
}
