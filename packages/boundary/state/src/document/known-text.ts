import { JsonBytesFault } from './json-cursor.js';

const TAB = 0x09;
const LINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BOM = 0xfeff;

/**
 * Calls `member` for each member of an object, with the places at which its value begins and ends. The text was read
 * before: only the ends of its parts are looked for. Fails with a {@link JsonBytesFault} for a text that is cut off.
 */
export function walkKnownMembers(
  text: string,
  member: (key: string, from: number, to: number) => void,
  start = 0,
): void {
  let at = spaceEnd(text, spaceEnd(text, start) + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = stringEnd(text, at);
    const key = keyIn(text, at, keyEnd);
    const from = spaceEnd(text, spaceEnd(text, keyEnd) + 1);
    const to = knownValueEnd(text, from);
    member(key, from, to);
    at = spaceEnd(text, to);
    if (text.charCodeAt(at) !== COMMA) return;
    at = spaceEnd(text, at + 1);
  }
}

/** Returns the exact texts of the items of the list that begins at a place of a text that was read before. */
export function knownItemsAt(text: string, start: number): string[] {
  const items: string[] = [];
  let from = spaceEnd(text, spaceEnd(text, start) + 1);
  while (text.charCodeAt(from) !== CLOSE_LIST) {
    const to = knownValueEnd(text, from);
    items.push(text.slice(from, to));
    const at = spaceEnd(text, to);
    if (text.charCodeAt(at) !== COMMA) break;
    from = spaceEnd(text, at + 1);
  }
  return items;
}

/** True if the value at a place is a list. */
export function isListAt(text: string, at: number): boolean {
  return text.charCodeAt(spaceEnd(text, at)) === OPEN_LIST;
}

/** Returns the place after the value that begins at `from`: after its last bracket, its quote, or the token. */
function knownValueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return stringEnd(text, from);
  if (first === OPEN_OBJECT || first === OPEN_LIST) return bracketsEnd(text, from);
  let at = from;
  while (at < text.length && !endsToken(text.charCodeAt(at))) at += 1;
  if (at === from) throw cutOff(text);
  return at;
}

function bracketsEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw cutOff(text);
}

/** Returns the place after the string that begins at `open`. A quote behind an odd number of backslashes is inside. */
function stringEnd(text: string, open: number): number {
  for (let quote = text.indexOf('"', open + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  throw cutOff(text);
}

function keyIn(text: string, from: number, to: number): string {
  const key = text.slice(from + 1, to - 1);
  return key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key;
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE || code === RETURN || code === TAB || code === BOM;
}

function endsToken(code: number): boolean {
  return code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || isSpace(code);
}

function cutOff(text: string): JsonBytesFault {
  return new JsonBytesFault(Buffer.byteLength(text), 'the text ends too early');
}
