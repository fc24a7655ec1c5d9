/** Returns a text of settings, or undefined if it is empty or something else. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
