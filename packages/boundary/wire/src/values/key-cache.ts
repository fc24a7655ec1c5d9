import { readText } from '@cairn/protobuf';

const SLOTS = 1024;
const LONGEST = 32;

/**
 * Property names repeat, so their texts are cached by a hash of their bytes. A hit costs no new string and no look-up
 * in the runtime's own table. Each slot has one name; the last one wins.
 */
const names: string[] = new Array<string>(SLOTS).fill('');

/** Returns the text of the bytes from `start` to `end`, like {@link readText}. */
export function readKey(buffer: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length > LONGEST) return readText(buffer, start, end);
  let hash = length;
  for (let at = start; at < end; at++) hash = (hash * 31 + (buffer[at] as number)) | 0;
  const slot = (hash ^ (hash >>> 10)) & (SLOTS - 1);
  const kept = names[slot] as string;
  if (kept.length === length && sameAscii(kept, buffer, start)) return kept;
  const text = readText(buffer, start, end);
  names[slot] = text;
  return text;
}

function sameAscii(text: string, buffer: Buffer, start: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127 || code !== buffer[start + index]) return false;
  }
  return true;
}
