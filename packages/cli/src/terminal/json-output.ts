import { escapeHtmlIn } from '@cairn/state';
import type { World } from '../world.js';

/** `escapeHtml`: which command does so is in state.md 0. */
export interface JsonStyle {
  readonly escapeHtml?: boolean;
}

/** Prints one JSON document, two spaces a level, keys in the order given, escaped as other tools' documents are (state.md 0). */
export function printJson(world: World, value: unknown, { escapeHtml = false }: JsonStyle = {}): void {
  const text = JSON.stringify(value, wellFormed, 2);
  world.stdout.write(`${escapeHtml ? escapeHtmlIn(text) : escapeSeparators(text)}\n`);
}

const HALF_PAIR = /\p{Surrogate}/gu;

/** No other program takes half of a surrogate pair. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(HALF_PAIR, '\ufffd') : value;
}

/** Outside of texts these do not stand in JSON. */
function escapeSeparators(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
