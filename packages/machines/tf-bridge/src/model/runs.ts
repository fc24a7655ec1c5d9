/** Access to a text by character code. */
type Characters = Pick<string, 'length' | 'charCodeAt'>;

/** Tells whether a character belongs to a run, by its code. */
export type Belongs = (code: number) => boolean;

export const isUnderscore: Belongs = (code) => code === 0x5f;

export const isLetter: Belongs = (code) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Returns the end of the run at the beginning of a text. Reads each character of the run, and one more, once. */
export function runAtStart(text: Characters, belongs: Belongs): number {
  let end = 0;
  while (end < text.length && belongs(text.charCodeAt(end))) end += 1;
  return end;
}

/**
 * Returns the start of the run at the end of a text, not before `from`. Reads each character of it, and one more, once.
 */
export function runAtEnd(text: Characters, belongs: Belongs, from = 0): number {
  let start = text.length;
  while (start > from && belongs(text.charCodeAt(start - 1))) start -= 1;
  return start;
}
