import { propertyKey, stringLiteral } from '../source/literal.js';
import { ANY } from './value-type.js';
import type { ValueType } from './value-type.js';

/** An expression of the program that is written. */
export interface Code {
  readonly text: string;
  readonly type: ValueType;
  /** `is`: an output; `has`: something plain with outputs in it. */
  readonly outputs: 'none' | 'has' | 'is';
  /** Nothing that stands beside it binds more strongly. */
  readonly atom: boolean;
  /** The name of the property of a result that it already is. */
  readonly only?: string | undefined;
}

export function plain(text: string, type: ValueType = ANY, atom = true): Code {
  return { text, type, outputs: 'none', atom };
}

export function outputCode(text: string, type: ValueType = ANY): Code {
  return { text, type, outputs: 'is', atom: true };
}

/** The text where something may bind more strongly. */
export function operand({ text, atom }: Code): string {
  return atom ? text : `(${text})`;
}

/** Whether outputs are in parts of something plain. */
export function outputsIn(parts: readonly Code[]): 'none' | 'has' {
  return parts.every(({ outputs }) => outputs === 'none') ? 'none' : 'has';
}

const WIDTH = 100;

/** Parts between brackets, on one line when it is short. */
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

/** A member of an object; `key` is code. */
export function memberPair(key: string, text: string): string {
  const isName = /^[A-Za-z_$][\w$]*$/.test(key) && !LITERALS.has(key);
  return isName && key === text ? key : `${key}: ${text}`;
}

const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'this']);

/** Every line one step deeper. No text of the code has line ends in it. */
export function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}

/** The property of something. */
export function memberText(of: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${of}.${name}` : `${of}[${stringLiteral(name)}]`;
}

/** The last word of an expression, to name what it gives. */
export function lastWord(text: string): string {
  if (/^[[{]/.test(text)) return 'value';
  const words = text.replace(/\([^()]*\)/g, '').match(/[A-Za-z_$][\w$]*/g);
  const word = words?.at(-1)?.replace(/Output$/, '') ?? '';
  return word === '' ? 'value' : word;
}
