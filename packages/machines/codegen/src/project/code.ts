import { propertyKey, stringLiteral } from '../source/literal.js';
import { ANY } from './value-type.js';
import type { ValueType } from './value-type.js';

/** Expression of the generated program. */
export interface Code {
  readonly text: string;
  readonly type: ValueType;
  /** `is`: an output; `has`: a plain value that contains outputs. */
  readonly outputs: 'none' | 'has' | 'is';
  /** True if no adjacent operator can bind more strongly. */
  readonly atom: boolean;
  /** Name of the result's property that the expression already is. */
  readonly only?: string | undefined;
}

export function plainCode(text: string, type: ValueType = ANY, atom = true): Code {
  return { text, type, outputs: 'none', atom };
}

export function outputCode(text: string, type: ValueType = ANY): Code {
  return { text, type, outputs: 'is', atom: true };
}

/** Returns the text for a position where an operator may bind more strongly. */
export function operand({ text, atom }: Code): string {
  return atom ? text : `(${text})`;
}

/** Returns `has` if parts of a plain value are or contain outputs. */
export function outputsIn(parts: readonly Code[]): 'none' | 'has' {
  return parts.every(({ outputs }) => outputs === 'none') ? 'none' : 'has';
}

const WIDTH = 100;

/** Joins parts between brackets, on one line if it is short. */
export function bracketed(open: string, parts: readonly string[], close: string): string {
  const blank = open === '{' ? ' ' : '';
  const line = `${open}${blank}${parts.join(', ')}${blank}${close}`;
  if (parts.length === 0) return open + close;
  if (!line.includes('\n') && line.length <= WIDTH) return line;
  return `${open}\n${parts.map((part) => `${indented(part)},\n`).join('')}${close}`;
}

export function objectText(members: readonly (readonly [string, string])[]): string {
  const pairs = members.map(([key, text]) => memberPair(propertyKey(key), text));
  return bracketed('{', pairs, '}');
}

/** Returns a member of an object; `key` is code. */
export function memberPair(key: string, text: string): string {
  const isName = /^[A-Za-z_$][\w$]*$/.test(key) && !LITERALS.has(key);
  return isName && key === text ? key : `${key}: ${text}`;
}

const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'this']);

/** Indents every line one step deeper. No text of the code contains line ends. */
export function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}

/** Returns the code of a property. */
export function memberText(of: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${of}.${name}` : `${of}[${stringLiteral(name)}]`;
}

/** Returns the last word of an expression, to name its result. */
export function lastWord(text: string): string {
  if (/^[[{]/.test(text)) return 'value';
  const words = text.replace(/\([^()]*\)/g, '').match(/[A-Za-z_$][\w$]*/g);
  const word = words?.at(-1)?.replace(/Output$/, '') ?? '';
  return word === '' ? 'value' : word;
}
