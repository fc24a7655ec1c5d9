/** Place at which a text stops being JSON. `offset` counts UTF-16 units from 0. */
interface JsonFault {
  readonly offset: number;
  readonly reason: string;
}

class Fault extends Error {
  constructor(
    readonly offset: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN_RUN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\n\r]*/y;

/** Returns the first fault of a text that `JSON.parse` refused, or `undefined` if the whole text is one JSON value. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    const end = skipSpace(text, skipValue(text, skipSpace(text, 0)));
    return end === text.length
      ? undefined
      : { offset: end, reason: 'there is more text after the end of the document' };
  } catch (thrown) {
    if (thrown instanceof Fault) return { offset: thrown.offset, reason: thrown.reason };
    throw thrown;
  }
}

function skipSpace(text: string, at: number): number {
  return match(SPACE, text, at) ?? at;
}

/**
 * Returns the offset after the value that begins at `at`. Keeps its own stack, so that deep nesting cannot exhaust the
 * call stack.
 */
function skipValue(text: string, at: number): number {
  const closers: string[] = [];
  let next = at;
  for (;;) {
    next = skipSpace(text, next);
    const char = text[next];
    const close = char === '{' ? '}' : char === '[' ? ']' : undefined;
    if (close !== undefined) {
      next = skipSpace(text, next + 1);
      if (text[next] !== close) {
        closers.push(close);
        if (close === '}') next = skipKey(text, next);
        continue;
      }
      next += 1;
    } else {
      next = skipScalar(text, next);
    }
    const opened = skipClosers(text, next, closers);
    if (opened.done) return opened.at;
    next = opened.at;
  }
}

/**
 * Takes closing brackets after a value, then a comma and, in an object, the next key. Done if no bracket remains open.
 */
function skipClosers(
  text: string,
  at: number,
  closers: string[],
): { readonly done: boolean; readonly at: number } {
  let next = at;
  for (;;) {
    const close = closers.at(-1);
    if (close === undefined) return { done: true, at: next };
    next = skipSpace(text, next);
    if (text[next] === close) {
      closers.pop();
      next += 1;
    } else if (text[next] === ',') {
      next = skipSpace(text, next + 1);
      return { done: false, at: close === '}' ? skipKey(text, next) : next };
    } else {
      throw fault(text, next, `expected "," or "${close}"`);
    }
  }
}

function skipKey(text: string, at: number): number {
  if (text[at] !== '"') throw fault(text, at, 'expected a key in double quotes');
  const colon = skipSpace(text, skipString(text, at));
  if (text[colon] !== ':') throw fault(text, colon, 'expected ":"');
  return colon + 1;
}

function skipScalar(text: string, at: number): number {
  if (text[at] === '"') return skipString(text, at);
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, at)) return at + word.length;
  const end = match(NUMBER, text, at);
  if (end === undefined) throw fault(text, at, 'expected a value');
  return end;
}

/** Returns the offset after the string whose opening quote is at `open`. */
function skipString(text: string, open: number): number {
  let at = open + 1;
  for (;;) {
    at = match(PLAIN_RUN, text, at) ?? at;
    if (text[at] === '"') return at + 1;
    const escaped = text[at] === '\\' ? match(ESCAPE, text, at) : undefined;
    if (escaped === undefined)
      throw fault(text, at, text[at] === '\\' ? 'bad escape in a string' : 'control character in a string');
    at = escaped;
  }
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function fault(text: string, at: number, expected: string): Fault {
  return new Fault(at, at >= text.length ? 'the text ends too early' : expected);
}
