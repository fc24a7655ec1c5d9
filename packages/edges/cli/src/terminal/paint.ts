import picocolors from 'picocolors';
import { visible } from './controls.js';

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

// Whole escape sequences, and the carriage return of a line's end.
const SEQUENCES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]|\r(?=\n|$)/g;

/**
 * What is said by programs, providers and tools: without their colours, and with nothing that could steer the terminal
 * [CLI-8].
 */
export function stripEscapes(text: string): string {
  return visible(text.replace(SEQUENCES, ''));
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Colour directives of other tools, e.g. `<{%fg 1%}>`. */
const DIRECTIVES = /<\{%[^%]*%\}>/g;

/**
 * Without control characters and colour directives: for texts in JSON that say of themselves that they have no colour.
 */
export function stripMarkup(text: string): string {
  return text.replace(SEQUENCES, '').replace(CONTROLS, '').replace(DIRECTIVES, '');
}
