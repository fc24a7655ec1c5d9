/** Characters that are about twice as wide as others: those of East Asian scripts, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\ud83c-\ud83e][\udc00-\udfff]/g;

/** Estimates the width of a text in pixels, for a font of the system at this size. */
export function textWidth(text: string, size: number): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return (text.length + wide) * size * 0.58;
}

/** Cuts a text in its middle, where types and names differ least, so that it fits into a width. */
export function cutText(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  const characters = [...text];
  const room = Math.max(3, Math.floor((characters.length * width) / textWidth(text, size)) - 1);
  const end = Math.floor(room / 2);
  return `${characters.slice(0, room - end).join('')}…${characters.slice(characters.length - end).join('')}`;
}
