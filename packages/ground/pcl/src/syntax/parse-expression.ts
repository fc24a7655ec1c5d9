import { ITEM } from './ast.js';
import type { BinaryOperator, Expression, ObjectItem, Position } from './ast.js';
import { Cursor } from './cursor.js';

/** Operators by precedence, lowest first. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const HEREDOC = /<<-?[\p{L}_][\p{L}\p{N}_-]*\r?\n/uy;
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
};

/** Reads expressions. `lineEnds`: true if an expression continues after the end of a line, as inside brackets. */
export class ExpressionParser {
  readonly #cursor: Cursor;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  expression(lineEnds: boolean): Expression {
    const at = this.#start(lineEnds);
    const test = this.#binary(0, lineEnds);
    this.#cursor.skip(lineEnds);
    if (!this.#cursor.take('?')) return test;
    const yes = this.expression(lineEnds);
    this.#cursor.skip(lineEnds);
    this.#cursor.expect(':', 'between the two outcomes of "?"');
    return { t: 'conditional', test, yes, no: this.expression(lineEnds), at };
  }

  /** Reads a quoted text without interpolated values. */
  text(): string {
    const template = this.#template();
    if (template.t === 'literal' && typeof template.value === 'string') return template.value;
    throw this.#cursor.unexpected('a plain text was expected');
  }

  #start(lineEnds: boolean): Position {
    this.#cursor.skip(lineEnds);
    return this.#cursor.position();
  }

  #binary(level: number, lineEnds: boolean): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary(lineEnds);
    const at = this.#start(lineEnds);
    let left = this.#binary(level + 1, lineEnds);
    for (;;) {
      this.#cursor.skip(lineEnds);
      const operator = operators.find((each) => this.#cursor.take(each));
      if (operator === undefined) return left;
      // An operator at the end of a line continues on the next line.
      this.#cursor.skip(true);
      left = { t: 'binary', operator, left, right: this.#binary(level + 1, lineEnds), at };
    }
  }

  #unary(lineEnds: boolean): Expression {
    const at = this.#start(lineEnds);
    for (const operator of ['-', '!'] as const) {
      if (this.#cursor.take(operator)) return { t: 'unary', operator, operand: this.#unary(lineEnds), at };
    }
    return this.#postfix(this.#primary(), lineEnds, at);
  }

  #postfix(of: Expression, lineEnds: boolean, at: Position): Expression {
    const cursor = this.#cursor;
    cursor.skip(lineEnds);
    if (cursor.ahead('...')) return of;
    if (cursor.take('.*') || cursor.take('[*]')) {
      const rest = this.#postfix({ t: 'name', name: ITEM, at }, lineEnds, at);
      return { t: 'splat', of, rest, at };
    }
    if (cursor.take('.')) {
      const name = cursor.identifier();
      if (name !== undefined) return this.#postfix({ t: 'property', of, name, at }, lineEnds, at);
      const index = cursor.match(/\d+/y);
      if (index === undefined) throw cursor.unexpected('a name was expected after "."');
      const key: Expression = { t: 'literal', value: Number(index), at };
      return this.#postfix({ t: 'index', of, key, at }, lineEnds, at);
    }
    if (cursor.take('[')) {
      const key = this.expression(true);
      cursor.skip(true);
      cursor.expect(']', 'after an index');
      return this.#postfix({ t: 'index', of, key, at }, lineEnds, at);
    }
    return of;
  }

  #primary(): Expression {
    const cursor = this.#cursor;
    const at = cursor.position();
    if (cursor.next === '"') return this.#template();
    if (cursor.ahead('<<')) return this.#heredoc();
    if (cursor.take('(')) {
      const inner = this.expression(true);
      cursor.skip(true);
      cursor.expect(')', 'at the end of the parentheses');
      return inner;
    }
    if (cursor.take('[')) return this.#list(at);
    if (cursor.take('{')) return this.#object(at);
    const number = cursor.match(NUMBER);
    if (number !== undefined) return { t: 'literal', value: Number(number), at };
    const name = cursor.identifier();
    if (name === undefined) throw cursor.unexpected('a value was expected');
    if (Object.hasOwn(WORDS, name)) return { t: 'literal', value: WORDS[name] ?? null, at };
    return cursor.take('(') ? this.#call(name, at) : { t: 'name', name, at };
  }

  #call(name: string, at: Position): Expression {
    const cursor = this.#cursor;
    const args = this.#items(')', () => cursor.take('...'));
    return { t: 'call', name, args: args.items, expand: args.ended, at };
  }

  #list(at: Position): Expression {
    return this.#isFor() ? this.#for(at, ']') : { t: 'list', items: this.#items(']').items, at };
  }

  /**
   * Reads items up to `end`. `isLast` reads a mark that may follow the last item; `ended`: true if the mark was
   * present.
   */
  #items(
    end: string,
    isLast?: () => boolean,
  ): { readonly items: readonly Expression[]; readonly ended: boolean } {
    const cursor = this.#cursor;
    const items: Expression[] = [];
    for (;;) {
      cursor.skip(true);
      if (cursor.take(end)) return { items, ended: false };
      items.push(this.expression(true));
      cursor.skip(true);
      if (isLast?.() === true) {
        cursor.skip(true);
        cursor.expect(end, 'after "..."');
        return { items, ended: true };
      }
      if (!cursor.take(',') && !cursor.ahead(end)) throw cursor.unexpected(`"," or "${end}" was expected`);
    }
  }

  #object(at: Position): Expression {
    const cursor = this.#cursor;
    if (this.#isFor()) return this.#for(at, '}');
    const items: ObjectItem[] = [];
    for (;;) {
      cursor.skip(true);
      if (cursor.take('}')) return { t: 'object', items, at };
      const key = this.#objectKey();
      cursor.skip(true);
      if (!cursor.take('=') && !cursor.take(':')) throw cursor.unexpected('"=" was expected after a key');
      items.push({ key, value: this.expression(false) });
      cursor.skip(false);
      if (!cursor.take(',') && cursor.next !== '\n' && cursor.next !== '}')
        throw cursor.unexpected('"," or the end of the line was expected');
    }
  }

  /** Reads the key of an object. A bare name is a text; anything else is computed. */
  #objectKey(): Expression {
    const cursor = this.#cursor;
    const at = cursor.position();
    const name = cursor.peek(() => {
      const found = cursor.identifier();
      cursor.skip(true);
      return cursor.next === '=' || cursor.next === ':' ? found : undefined;
    });
    if (name === undefined) return this.expression(true);
    cursor.identifier();
    return { t: 'literal', value: name, at };
  }

  #isFor(): boolean {
    const cursor = this.#cursor;
    return cursor.peek(() => {
      cursor.skip(true);
      return cursor.identifier() === 'for' && /\s/.test(cursor.next);
    });
  }

  #for(at: Position, end: string): Expression {
    const cursor = this.#cursor;
    cursor.skip(true);
    cursor.identifier();
    const first = this.#word('a name');
    cursor.skip(true);
    const second = cursor.take(',') ? this.#word('a name') : undefined;
    if (this.#word('"in"') !== 'in') throw cursor.unexpected('"in" was expected');
    const of = this.expression(true);
    cursor.skip(true);
    cursor.expect(':', 'after what "for" goes through');
    const one = this.expression(true);
    cursor.skip(true);
    const keyed = end === '}' ? (cursor.expect('=>', 'after a key'), this.expression(true)) : undefined;
    cursor.skip(true);
    const group = keyed !== undefined && cursor.take('...');
    cursor.skip(true);
    const conditional = cursor.peek(() => cursor.identifier() === 'if');
    if (conditional) cursor.identifier();
    const test = conditional ? this.expression(true) : undefined;
    cursor.skip(true);
    cursor.expect(end, 'at the end of "for"');
    return {
      t: 'for',
      keyName: second === undefined ? undefined : first,
      valueName: second ?? first,
      of,
      key: keyed === undefined ? undefined : one,
      value: keyed ?? one,
      group,
      test,
      at,
    };
  }

  #word(what: string): string {
    this.#cursor.skip(true);
    const found = this.#cursor.identifier();
    if (found === undefined) throw this.#cursor.unexpected(`${what} was expected`);
    return found;
  }

  #template(): Expression {
    const cursor = this.#cursor;
    const at = cursor.position();
    cursor.expect('"', 'at the start of a text');
    return this.#parts(at, true, () => {
      if (cursor.done || cursor.next === '\n') throw cursor.unexpected('the text does not end');
      return cursor.take('"');
    });
  }

  #heredoc(): Expression {
    const cursor = this.#cursor;
    const at = cursor.position();
    const opening = cursor.match(HEREDOC);
    if (opening === undefined) throw cursor.unexpected('a value was expected');
    const indented = opening.startsWith('<<-');
    const marker = opening.replace(/^<<-?/, '').trim();
    const end = new RegExp(`[ \\t]*${marker.replaceAll('-', '\\-')}(?=\\r?\\n|$)`, 'y');
    let lineStart = true;
    const template = this.#parts(at, false, () => {
      if (cursor.done) throw cursor.unexpected(`the text does not end with ${marker}`);
      const ends = lineStart && cursor.match(end) !== undefined;
      lineStart = cursor.next === '\n';
      return ends;
    });
    return indented ? unindented(template) : template;
  }

  /** Reads texts and `${values}` until `ends` has found the end. */
  #parts(at: Position, escapes: boolean, ends: () => boolean): Expression {
    const cursor = this.#cursor;
    const parts: Expression[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ t: 'literal', value: text, at });
      text = '';
    };
    while (!ends()) {
      if (cursor.take('$${')) text += '${';
      else if (cursor.take('%%{')) text += '%{';
      else if (cursor.ahead('%{'))
        throw cursor.unexpected('a text cannot have a directive; write a conditional, "for" or join');
      else if (cursor.take('${')) {
        flush();
        parts.push(this.expression(true));
        cursor.skip(true);
        cursor.expect('}', 'after a value in a text');
      } else if (escapes && cursor.next === '\\') text += this.#escape();
      else text += cursor.character();
    }
    flush();
    const [only] = parts;
    if (parts.length === 0) return { t: 'literal', value: '', at };
    if (parts.length === 1 && only?.t === 'literal') return only;
    // A text that consists of one value is that value.
    return parts.length === 1 && only !== undefined && escapes ? only : { t: 'template', parts, at };
  }

  #escape(): string {
    const cursor = this.#cursor;
    cursor.take('\\');
    const hex = cursor.match(/u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}/y);
    if (hex !== undefined) {
      const point = parseInt(hex.slice(1), 16);
      if (point > 0x10ffff) throw cursor.unexpected('there is no character of this number');
      return String.fromCodePoint(point);
    }
    const escaped = ESCAPES[cursor.next];
    if (escaped === undefined) throw cursor.unexpected('this cannot be escaped');
    cursor.character();
    return escaped;
  }
}

/** Parses one expression, which must be the whole text. Throws a CairnError with the position. */
export function parseExpression(code: string): Expression {
  const cursor = new Cursor(code);
  const found = new ExpressionParser(cursor).expression(true);
  cursor.skip(true);
  if (!cursor.done) throw cursor.unexpected('the end was expected');
  return found;
}

/** Removes the spaces that every line of an indented text starts with. */
function unindented(template: Expression): Expression {
  const parts = template.t === 'template' ? template.parts : [template];
  const texts = parts.map((part) => (part.t === 'literal' ? String(part.value) : '\0'));
  const lines = texts.join('').split('\n');
  const depths = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const depth = depths.length === 0 ? 0 : Math.min(...depths);
  const strip = new RegExp(`(^|\\n)[ \\t]{0,${depth}}`, 'g');
  let first = true;
  const stripped = parts.map((part): Expression => {
    const startsLine = first;
    first = false;
    if (part.t !== 'literal') return part;
    const text = String(part.value);
    const value = text.replaceAll(strip, (found, start: string) =>
      start === '' && !startsLine ? found : start,
    );
    return { ...part, value };
  });
  return template.t === 'template' ? { ...template, parts: stripped } : (stripped[0] ?? template);
}
