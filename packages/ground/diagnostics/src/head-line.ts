/** Returns the first line of a text; with the next one if it only announces it, by a colon at its end. */
export function headLine(text: string): string {
  const [first = '', ...rest] = text.split('\n').map((line) => line.trim());
  const next = first.endsWith(':') ? rest.find((line) => line !== '') : undefined;
  return next === undefined ? first : `${first} ${next}`;
}
