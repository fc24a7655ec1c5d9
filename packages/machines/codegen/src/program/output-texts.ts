import type { Urn } from '@cairn/addresses';
import { isProviderType } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { isArray, isMap, stripSecrets } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { propertyKey } from '../source/literal.js';
import { jsonOf } from './setting.js';

/** An output of a resource. */
export interface OutputPlace {
  readonly urn: Urn;
  readonly property: string;
}

/** Shorter texts are the same by chance. */
export const SHORTEST = 4;

/**
 * The text by which a value is the same as another one: a text its own, a list or an object what is in it, secret or
 * not. Undefined for those that are the same by chance, and for what has assets, unknowns or references in it.
 */
export function linkText(value: PropertyValue): string | undefined {
  const plain = stripSecrets(value);
  if (typeof plain === 'string') return plain.length >= SHORTEST ? plain : undefined;
  if (!isArray(plain) && !isMap(plain)) return undefined;
  const json = hasLongText(plain) ? jsonOf(plain) : undefined;
  // A zero byte keeps it apart from a text that is the same JSON.
  return json === undefined ? undefined : `\0${JSON.stringify(json)}`;
}

function hasLongText(value: PropertyValue): boolean {
  if (typeof value === 'string') return value.length >= SHORTEST;
  return isArray(value) ? value.some(hasLongText) : isMap(value) && Object.values(value).some(hasLongText);
}

/**
 * The texts that outputs of resources are and their inputs are not, each of one resource only. Where several of its
 * outputs are the text, the first by name that is not the id.
 */
export function textsOf(entries: Iterable<ResourceEntry>): ReadonlyMap<string, OutputPlace> {
  const found = new Map<string, OutputPlace>();
  const shared = new Set<string>();
  for (const entry of entries) {
    for (const [text, property] of outputTexts(entry)) {
      const known = found.get(text);
      if (known === undefined) found.set(text, { urn: entry.urn, property });
      else if (known.urn !== entry.urn) shared.add(text);
    }
  }
  for (const text of shared) found.delete(text);
  return found;
}

function outputTexts({ urn, type, id, custom, inputs, outputs }: ResourceEntry): readonly [string, string][] {
  if (!custom || isProviderType(type) || urn === '') return [];
  const given = new Set(Object.values(inputs).map(linkText));
  const properties = Object.keys(outputs).filter((name) => name !== 'id' && !name.startsWith('__'));
  const texts = properties.sort().map((name) => [linkText(outputs[name] ?? null), name] as const);
  return [...texts, [linkText(id ?? null), 'id'] as const].flatMap(([text, name]): [string, string][] =>
    text === undefined || given.has(text) ? [] : [[text, name]],
  );
}

/** How a member of this name is asked for, behind what has it. */
export function memberCode(name: string): string {
  const key = propertyKey(name);
  return key === name ? `.${name}` : `[${key}]`;
}
