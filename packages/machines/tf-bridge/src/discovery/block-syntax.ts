/** A literal value of a configuration file: no expressions, no references. */
export type BlockValue = string | number | boolean | null | readonly BlockValue[] | BlockBody;

/** One line or block: `key = value`, or `key "label" { … }`, whose value is a body. */
export interface BlockEntry {
  readonly key: string;
  readonly labels: readonly string[];
  readonly value: BlockValue;
  readonly line: number;
}

/** The content between braces, in its order. */
export class BlockBody {
  constructor(readonly entries: readonly BlockEntry[]) {}

  /** Returns the value of the last entry of the name. */
  value(key: string): BlockValue | undefined {
    return this.entries.findLast((entry) => entry.key === key)?.value;
  }
}

/** Thrown for a text that is not in the syntax, or uses an unsupported part of it. */
class BlockSyntaxError extends Error {
  override readonly name = 'BlockSyntaxError';
}

interface Token {
  readonly t: 'name' | 'text' | 'number' | 'sign' | 'end line' | 'end';
  readonly text: string;
  readonly line: number;
}

/**
 * Reads the blocks of configuration and lock files, or the same as JSON [TFD-4]. Templates, expressions and heredocs
 * are refused. Throws {@link BlockSyntaxError} with the line.
 */
export function readBlocks(text: string): BlockBody {
  if (text.trimStart().startsWith('{')) return fromJson(text);
  const reader = new Reader(tokensOf(text));
  return reader.body('end');
}

const TOKEN =
  /([ \t\r\uFEFF]+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(\n)|([A-Za-z_][\w.-]*)|("(?:[^"\\\n]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([={}[\],:])/y;

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw unreadable(line, text.slice(at).split('\n', 1)[0] ?? '');
    const [all, , end, name, quoted, number, sign] = match;
    if (end !== undefined) tokens.push({ t: 'end line', text: all, line });
    else if (name !== undefined) tokens.push({ t: 'name', text: name, line });
    else if (quoted !== undefined) tokens.push({ t: 'text', text: unquoted(quoted, line), line });
    else if (number !== undefined) tokens.push({ t: 'number', text: number, line });
    else if (sign !== undefined) tokens.push({ t: 'sign', text: sign, line });
    line += all.split('\n').length - 1;
  }
  return [...tokens, { t: 'end', text: 'the end of the file', line }];
}

function unquoted(quoted: string, line: number): string {
  if (/(?:^|[^$])\$\{|(?:^|[^%])%\{/.test(quoted))
    throw new BlockSyntaxError(`line ${line}: ${quoted} is a template, which is not supported here`);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw unreadable(line, quoted);
  }
}

const unreadable = (line: number, text: string): BlockSyntaxError =>
  new BlockSyntaxError(`line ${line}: cannot read ${JSON.stringify(text.slice(0, 80))}`);

const WORDS: Readonly<Record<string, BlockValue>> = { true: true, false: false, null: null };

class Reader {
  #at = 0;
  readonly #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  body(end: '}' | 'end'): BlockBody {
    const entries: BlockEntry[] = [];
    for (;;) {
      this.#skip();
      const token = this.#next();
      if (end === '}' ? isSign(token, '}') : token.t === 'end') return new BlockBody(entries);
      if (token.t !== 'name' && token.t !== 'text') throw unreadable(token.line, token.text);
      entries.push(this.#entry(token));
    }
  }

  #entry(key: Token): BlockEntry {
    const labels: string[] = [];
    for (;;) {
      const token = this.#next();
      const { line } = key;
      if (isSign(token, '{')) return { key: key.text, labels, value: this.body('}'), line };
      if (labels.length === 0 && (isSign(token, '=') || isSign(token, ':'))) {
        const value = this.#value();
        this.#endOfEntry();
        return { key: key.text, labels, value, line };
      }
      if (token.t !== 'name' && token.t !== 'text') throw unreadable(token.line, token.text);
      labels.push(token.text);
    }
  }

  /** Reads the end of an entry: the end of its line, a comma in objects, or the end of its body. */
  #endOfEntry(): void {
    const token = this.#peek();
    if (isSign(token, ',')) this.#at++;
    else if (token.t !== 'end line' && token.t !== 'end' && !isSign(token, '}'))
      throw unreadable(token.line, token.text);
  }

  #value(): BlockValue {
    const token = this.#next();
    if (token.t === 'text') return token.text;
    if (token.t === 'number') return Number(token.text);
    if (token.t === 'name' && Object.hasOwn(WORDS, token.text)) return WORDS[token.text] as BlockValue;
    if (isSign(token, '[')) return this.#list();
    if (isSign(token, '{')) return this.body('}');
    throw unreadable(token.line, token.text);
  }

  #list(): readonly BlockValue[] {
    const values: BlockValue[] = [];
    for (;;) {
      this.#skip();
      if (isSign(this.#peek(), ']')) break;
      values.push(this.#value());
      this.#skip();
      if (isSign(this.#peek(), ',')) this.#at++;
      else if (!isSign(this.#peek(), ']')) throw unreadable(this.#peek().line, this.#peek().text);
    }
    this.#at++;
    return values;
  }

  #skip(): void {
    while (this.#peek().t === 'end line') this.#at++;
  }

  #peek(): Token {
    return this.#tokens[this.#at] as Token;
  }

  /** Returns the next token. Does not move past the end of the file. */
  #next(): Token {
    const token = this.#peek();
    if (token.t !== 'end') this.#at++;
    return token;
  }
}

const isSign = (token: Token, sign: string): boolean => token.t === 'sign' && token.text === sign;

function fromJson(text: string): BlockBody {
  try {
    return bodyOf(JSON.parse(text) as object);
  } catch (error) {
    throw new BlockSyntaxError(`it is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Converts an object to a body. A list of objects represents consecutive blocks of one name. */
function bodyOf(object: object): BlockBody {
  const entries = Object.entries(object).flatMap(([key, value]): readonly BlockEntry[] => {
    const values: readonly unknown[] = Array.isArray(value) && value.every(isObject) ? value : [value];
    return values.map((each) => ({ key, labels: [], value: valueOf(each), line: 1 }));
  });
  return new BlockBody(entries);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueOf(value: unknown): BlockValue {
  if (Array.isArray(value)) return value.map(valueOf);
  return isObject(value) ? bodyOf(value) : (value as BlockValue);
}
