/**
 * The text as one word of a command line that is pasted into a POSIX shell: as it is where that does, else in quotes.
 */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
