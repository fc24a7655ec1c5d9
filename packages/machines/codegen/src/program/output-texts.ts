import type { Urn } from '@cairn/addresses';
import { isProviderType } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { isArray, isMap, stripSecrets } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { propertyKey } from '../source/literal.js';
import { jsonOf } from './setting.js';

/** Output of a resource. */
export interface OutputPlace {
  readonly urn: Urn;
  readonly property: string;
}

/** Minimum length of a text that counts as a link. Equality of shorter texts is a coincidence. */
export const SHORTEST = 4;

/**
 * Returns the text by which two values count as equal. For a text it is the text itself; for a list or an object its
 * content, secret or not. Undefined if equality may be a coincidence, or if the value contains assets, unknowns or
 * references.
 */
export function linkText(value: PropertyValue): string | undefined {
  const plain = stripSecrets(value);
  if (typeof plain === 'string') return plain.length >= SHORTEST ? plain : undefined;
  if (!isArray(plain) && !isMap(plain)) return undefined;
  const json = hasLongText(plain) ? jsonOf(plain) : undefined;
  // A zero byte distinguishes it from a text that is the same JSON.
  return json === undefined ? undefined : `\0${JSON.stringify(json)}`;
}

function hasLongText(value: PropertyValue): boolean {
  if (typeof value === 'string') return value.length >= SHORTEST;
  return isArray(value) ? value.some(hasLongText) : isMap(value) && Object.values(value).some(hasLongText);
}

/**
 * Returns the texts of resource outputs that are not among the resource's inputs, each from one resource only. If
 * several outputs have the same text, the first by name counts, and the id last.
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

/** Returns the code that reads a member of this name, to append to its owner. */
export function memberCode(name: string): string {
  const key = propertyKey(name);
  return key === name ? `.${name}` : `[${key}]`;
}
