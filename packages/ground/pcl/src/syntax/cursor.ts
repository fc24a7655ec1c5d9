import { pclError } from '../pcl-error.js';
import type { Position } from './ast.js';

const IDENTIFIER = /[\p{L}_][\p{L}\p{N}_-]*/uy;

/** A moving position in the code. It recognises spaces, comments and words. */
export class Cursor {
  #at = 0;

  constructor(readonly text: string) {}

  get done(): boolean {
    return this.#at >= this.text.length;
  }

  /** Next character; empty at the end. */
  get next(): string {
    return this.text[this.#at] ?? '';
  }

  position(): Position {
    const before = this.text.slice(0, this.#at).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }

  /** Skips spaces and comments. Skips line ends too if `lineEnds` is true. */
  skip(lineEnds: boolean): void {
    for (;;) {
      const { next } = this;
      if (next === ' ' || next === '\t' || next === '\r' || (lineEnds && next === '\n')) this.#at += 1;
      else if (next === '#' || this.ahead('//')) this.#to('\n', 0);
      else if (this.ahead('/*')) this.#to('*/', 2);
      else return;
    }
  }

  ahead(text: string): boolean {
    return this.text.startsWith(text, this.#at);
  }

  /** Skips the text if it is next. Returns true if it was. */
  take(text: string): boolean {
    if (!this.ahead(text)) return false;
    this.#at += text.length;
    return true;
  }

  expect(text: string, where: string): void {
    if (!this.take(text)) throw this.unexpected(`"${text}" was expected ${where}`);
  }

  /** Takes one character of any kind. */
  character(): string {
    const { next } = this;
    this.#at += next.length;
    return next;
  }

  identifier(): string | undefined {
    return this.match(IDENTIFIER);
  }

  /** Takes and returns the text that a sticky pattern matches here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** Looks ahead: the text that `look` reads is read again. */
  peek<T>(look: () => T): T {
    const from = this.#at;
    try {
      return look();
    } finally {
      this.#at = from;
    }
  }

  unexpected(message: string): Error {
    const found = this.done ? 'the end' : JSON.stringify(this.text.slice(this.#at, this.#at + 12));
    return pclError(`${message}, found ${found}`, this.position());
  }

  #to(text: string, past: number): void {
    const found = this.text.indexOf(text, this.#at);
    this.#at = found < 0 ? this.text.length : found + past;
  }
}
