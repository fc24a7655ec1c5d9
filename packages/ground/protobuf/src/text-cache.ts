import { readText } from './text.js';

/** Number of bytes at the end of a text that choose its slot: texts with a common beginning differ there. */
const HASHED = 24;

/**
 * Texts that repeat, such as property names and references, by a hash of their last bytes. A hit costs no new string
 * and no look-up in the runtime's own table, and equal texts are one string. Each slot has one text; the last one wins.
 */
export class TextCache {
  readonly #texts: string[];
  readonly #mask: number;
  readonly #longest: number;

  /** `slots` must be a power of two. Texts of more than `longest` bytes are not kept. */
  constructor(slots: number, longest: number) {
    this.#texts = new Array<string>(slots).fill('');
    this.#mask = slots - 1;
    this.#longest = longest;
  }

  /** Returns the text of the bytes from `start` to `end`, like {@link readText}. */
  read(buffer: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length > this.#longest) return readText(buffer, start, end);
    let hash = length;
    for (let at = Math.max(start, end - HASHED); at < end; at++)
      hash = (hash * 31 + (buffer[at] as number)) | 0;
    const slot = (hash ^ (hash >>> 10)) & this.#mask;
    const kept = this.#texts[slot] as string;
    if (kept.length === length && sameAscii(kept, buffer, start)) return kept;
    const text = readText(buffer, start, end);
    this.#texts[slot] = text;
    return text;
  }
}

function sameAscii(text: string, buffer: Buffer, start: number): boolean {
  for (let index = text.length - 1; index >= 0; index--) {
    const code = text.charCodeAt(index);
    if (code > 127 || code !== buffer[start + index]) return false;
  }
  return true;
}
