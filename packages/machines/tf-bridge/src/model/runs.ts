/** What is looked at of a text. */
type Characters = Pick<string, 'length' | 'charCodeAt'>;

/** Whether a character belongs to a run, by its code. */
export type Belongs = (code: number) => boolean;

export const isUnderscore: Belongs = (code) => code === 0x5f;

export const isLetter: Belongs = (code) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Where the run at the beginning of a text ends. Looks at each character of the run, and one more, once. */
export function runAtStart(text: Characters, belongs: Belongs): number {
  let end = 0;
  while (end < text.length && belongs(text.charCodeAt(end))) end += 1;
  return end;
}

/** Where the run at the end of a text begins, not before `from`. Looks at each character of it, and one more, once. */
export function runAtEnd(text: Characters, belongs: Belongs, from = 0): number {
  let start = text.length;
  while (start > from && belongs(text.charCodeAt(start - 1))) start -= 1;
  return start;
}
