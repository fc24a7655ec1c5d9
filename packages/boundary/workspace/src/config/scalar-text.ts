import { fail } from '@cairn/diagnostics';
import type { ConfigTree } from './config-tree.js';

const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Types that a user may state for a value (`--type`). */
export type StatedType = 'string' | 'bool' | 'int' | 'float';

/**
 * Returns the value of an untyped text that is set inside a list or map [CFG-7]. Booleans, and decimal integers without
 * a leading zero, are converted. Everything else, including floats, remains text.
 */
export function coerceText(text: string): ConfigTree {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (!/^[-+]?\d+$/.test(text) || (text.startsWith('0') && text !== '0')) return text;
  const whole = BigInt(text.replace(/^\+/, ''));
  const isSigned = /^[-+]/.test(text);
  return whole >= INT64_MIN && whole <= (isSigned ? INT64_MAX : UINT64_MAX) ? whole : text;
}

type Reader = (text: string) => ConfigTree | undefined;

const READERS: Readonly<Record<StatedType, Reader>> = {
  string: (text) => text,
  bool: (text) => (/^(1|t|true)$/i.test(text) ? true : /^(0|f|false)$/i.test(text) ? false : undefined),
  int: (text) => {
    if (!/^[-+]?\d+$/.test(text)) return undefined;
    const whole = BigInt(text.replace(/^\+/, ''));
    return whole >= INT64_MIN && whole <= INT64_MAX ? whole : undefined;
  },
  float: (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(number) ? number : undefined;
  },
};

/** Words that `--type` accepts. */
export const statedTypes = Object.keys(READERS) as readonly StatedType[];

/** Reads a text as a value of a stated type. Fails with `CAIRN-CONFIG-INVALID` if it is not of that type. */
export function readStatedType(text: string, type: StatedType): ConfigTree {
  const value = READERS[type](text);
  if (value === undefined)
    return fail('CAIRN-CONFIG-INVALID', `cannot read the value as ${type}`, {
      hint: `Pass a value of type ${type}, or another --type.`,
    });
  return value;
}
