import { s } from '@cairn/provider-sdk';

/** Permissions as octal text. */
export const modeProperty = s.string({ pattern: /^0?[0-7]{3,4}$/ });

/** Number of an octal text. */
export function parseMode(text: string): number {
  return Number.parseInt(text, 8);
}

/** Octal text of four digits. */
function formatMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/** The found permissions as text; as it was written when that means the same. */
export function describeMode(found: number, written: string | undefined): string {
  return written !== undefined && parseMode(written) === (found & 0o7777) ? written : formatMode(found);
}
