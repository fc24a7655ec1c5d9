/**
 * A JSON value without any loss: numbers keep their digits, members their order and names. A duplicate member is an
 * error.
 */
export type JsonTree = null | boolean | string | JsonNumber | readonly JsonTree[] | JsonMembers;

/** The members of a JSON object, in their order. */
export type JsonMembers = ReadonlyMap<string, JsonTree>;

/** A number as it was written. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** Reason why a text is not JSON. `offset` counts UTF-16 units from 0. */
class JsonTreeError extends Error {
  override readonly name = 'JsonTreeError';

  constructor(
    readonly offset: number,
    reason: string,
  ) {
    super(`${reason} at character ${offset + 1}`);
  }
}

/** Maximum nesting. */
const DEEPEST = 1000;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS: Readonly<Record<string, null | boolean>> = { true: true, false: false, null: null };

/** Reads one JSON value. Throws {@link JsonTreeError}. */
export function parseJson(text: string): JsonTree {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonTree {
    if (depth > DEEPEST) this.#fail('the values are nested too deeply');
    this.#space();
    const char = this.#text[this.#at];
    if (char === '{') return this.#object(depth + 1);
    if (char === '[') return this.#list(depth + 1);
    if (char === '"') return this.#string();
    for (const word of Object.keys(WORDS)) if (this.#takes(word)) return WORDS[word] as null | boolean;
    const digits = this.#match(NUMBER);
    if (digits === undefined || digits === '') this.#fail('expected a value');
    return new JsonNumber(digits);
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) this.#fail('there is more text after the end');
  }

  #object(depth: number): JsonMembers {
    const members = new Map<string, JsonTree>();
    this.#at += 1;
    if (this.#closes('}')) return members;
    do {
      this.#space();
      const start = this.#at;
      const key = this.#string();
      if (members.has(key)) this.#fail(`${JSON.stringify(key)} occurs twice`, start);
      this.#space();
      if (!this.#takes(':')) this.#fail('expected ":"');
      members.set(key, this.value(depth));
    } while (this.#another('}'));
    return members;
  }

  #list(depth: number): readonly JsonTree[] {
    const items: JsonTree[] = [];
    this.#at += 1;
    if (this.#closes(']')) return items;
    do items.push(this.value(depth));
    while (this.#another(']'));
    return items;
  }

  #another(close: string): boolean {
    if (this.#closes(close)) return false;
    if (!this.#takes(',')) this.#fail(`expected "," or "${close}"`);
    return true;
  }

  #closes(close: string): boolean {
    this.#space();
    return this.#takes(close);
  }

  #string(): string {
    const quoted = this.#match(STRING);
    if (quoted === undefined) this.#fail('expected a string in double quotes');
    return JSON.parse(quoted) as string;
  }

  #space(): void {
    this.#match(SPACE);
  }

  #takes(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fail(reason: string, at = this.#at): never {
    throw new JsonTreeError(at, at >= this.#text.length ? 'the text ends too early' : reason);
  }
}

/** Returns the JSON of a value without spaces. */
export function jsonTreeText(tree: JsonTree): string {
  if (tree instanceof JsonNumber) return tree.text;
  if (tree instanceof Map)
    return `{${[...(tree as JsonMembers)].map(([key, value]) => `${quoted(key)}:${jsonTreeText(value)}`).join(',')}}`;
  if (Array.isArray(tree)) return `[${(tree as readonly JsonTree[]).map(jsonTreeText).join(',')}]`;
  return typeof tree === 'string' ? quoted(tree) : String(tree as null | boolean);
}

/** Returns the JSON of a value over several lines, with two spaces a level, as Terraform formats its states. */
export function laidOut(tree: JsonTree, margin = ''): string {
  const inner = `${margin}  `;
  if (tree instanceof Map) {
    const members = [...(tree as JsonMembers)].map(
      ([key, value]) => `${inner}${quoted(key)}: ${laidOut(value, inner)}`,
    );
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${margin}}`;
  }
  if (Array.isArray(tree)) {
    const items = (tree as readonly JsonTree[]).map((item) => `${inner}${laidOut(item, inner)}`);
    return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n${margin}]`;
  }
  return jsonTreeText(tree);
}

const ESCAPED = /[<>&\u2028\u2029]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Returns a JSON string as Go writes it: characters that HTML could misread and two line separators are escaped. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(LONE_SURROGATE, '\ufffd')).replace(
    ESCAPED,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
