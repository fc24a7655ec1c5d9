import { equal, isArray, isMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { pclError } from '../pcl-error.js';
import type { BinaryOperator, Position } from '../syntax/ast.js';

/** Applies an operator to two plain values. */
export function applyBinary(
  operator: BinaryOperator,
  left: PropertyValue,
  right: PropertyValue,
  at: Position,
): PropertyValue {
  switch (operator) {
    case '==':
      return equal(left, right);
    case '!=':
      return !equal(left, right);
    case '&&':
      return boolean(left, at) && boolean(right, at);
    case '||':
      return boolean(left, at) || boolean(right, at);
    default:
      return ARITHMETIC[operator](number(left, at), number(right, at));
  }
}

const ARITHMETIC = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
} as const satisfies Record<
  Exclude<BinaryOperator, '==' | '!=' | '&&' | '||'>,
  (a: number, b: number) => number | boolean
>;

export function boolean(value: PropertyValue, at: Position): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw pclError(`true or false was expected, not ${kind(value)}`, at);
}

export function number(value: PropertyValue, at: Position): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  throw pclError(`a number was expected, not ${kind(value)}`, at);
}

/** Returns the text of a value inside a text. */
export function text(value: PropertyValue, at: Position): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw pclError(`a text was expected, not ${kind(value)}`, at);
}

/** Returns the name of a value's kind for messages. */
export function kind(value: PropertyValue): string {
  if (value === null) return 'null';
  if (isArray(value)) return 'a list';
  if (isMap(value)) return 'an object';
  return typeof value === 'object' ? 'such a value' : `a ${typeof value}`;
}
