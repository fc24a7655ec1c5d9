import picocolors from 'picocolors';

/** The 16-colour palette, or the same functions leaving text alone. Colour never carries meaning alone. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  magenta(text: string): string;
  cyan(text: string): string;
}

/** Colours when they are wanted. */
export function paintFor(colour: boolean): Paint {
  return picocolors.createColors(colour);
}

// Escape sequences, and control characters other than tab and line feed.
const ESCAPES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text from programs, providers and resources without anything that could steer the terminal (CLI.md 2.9). */
export function stripEscapes(text: string): string {
  return text.replace(ESCAPES, '');
}

/** Colour directives of other tools, e.g. `<{%fg 1%}>`. */
const DIRECTIVES = /<\{%[^%]*%\}>/g;

/** As {@link stripEscapes}, without colour directives too: for texts that say of themselves that they have no colour. */
export function stripMarkup(text: string): string {
  return stripEscapes(text).replace(DIRECTIVES, '');
}
