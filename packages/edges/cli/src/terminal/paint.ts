import picocolors from 'picocolors';
import { visible } from './controls.js';

/** The 16-colour palette, or functions that leave text unchanged. Colour never carries meaning alone. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  magenta(text: string): string;
  cyan(text: string): string;
}

/** Returns the palette, with or without colours. */
export function paintFor(colour: boolean): Paint {
  return picocolors.createColors(colour);
}

// Whole escape sequences, and the carriage return of a line's end.
const SEQUENCES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]|\r(?=\n|$)/g;

/**
 * Cleans text from programs, providers and tools. It removes their colours and everything that could control the
 * terminal [CLI-8].
 */
export function stripEscapes(text: string): string {
  return visible(text.replace(SEQUENCES, ''));
}

/** Returns the first line of a text from programs, providers or tools, cleaned. */
export function firstLine(text: string): string {
  return stripEscapes(text).split('\n', 1)[0] ?? '';
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Colour directives of other tools, e.g. `<{%fg 1%}>`. */
const DIRECTIVES = /<\{%[^%]*%\}>/g;

/** Removes control characters and colour directives, for JSON texts that declare that they have no colour. */
export function stripMarkup(text: string): string {
  return text.replace(SEQUENCES, '').replace(CONTROLS, '').replace(DIRECTIVES, '');
}
