import { s } from '@cairn/provider-sdk';

/** Permissions as octal text. */
export const modeProperty = s.string({ pattern: /^0?[0-7]{3,4}$/ });

/** Returns the number of an octal text. */
export function parseMode(text: string): number {
  return Number.parseInt(text, 8);
}

/** Returns an octal text of four digits. */
function formatMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/** Returns the found permissions as text. Keeps the written form if it means the same. */
export function describeMode(found: number, written: string | undefined): string {
  return written !== undefined && parseMode(written) === (found & 0o7777) ? written : formatMode(found);
}
