import type { Urn } from '@cairn/addresses';
import { isProviderType } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { isSecret } from '@cairn/values';
import { propertyKey } from '../source/literal.js';

/** An output of a resource. */
export interface OutputPlace {
  readonly urn: Urn;
  readonly property: string;
}

/** Shorter texts are the same by chance. */
export const SHORTEST = 4;

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
  const given = new Set(Object.values(inputs).map((value) => (isSecret(value) ? value.value : value)));
  const properties = Object.keys(outputs).filter((name) => name !== 'id' && !name.startsWith('__'));
  const texts = properties.sort().map((name): [unknown, string] => {
    const value = outputs[name];
    return [isSecret(value) ? value.value : value, name];
  });
  return [...texts, [id, 'id'] as [unknown, string]].filter(
    (each): each is [string, string] =>
      typeof each[0] === 'string' && each[0].length >= SHORTEST && !given.has(each[0]),
  );
}

/** How a member of this name is asked for, behind what has it. */
export function memberCode(name: string): string {
  const key = propertyKey(name);
  return key === name ? `.${name}` : `[${key}]`;
}
