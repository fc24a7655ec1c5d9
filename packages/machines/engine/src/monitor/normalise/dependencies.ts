import { isUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { isEmptyMap, newRecord, outputDependencies } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { urnOf } from '../refusal.js';
import type { NormalisePass } from './draft.js';

type ByProperty = Readonly<Record<string, readonly Urn[]>>;

const NONE: ByProperty = Object.freeze(Object.create(null) as Record<string, readonly Urn[]>);

/**
 * Collects the dependencies, each once. If a resource declares none by property, each of its properties depends on all
 * of them. Dependencies of output values are added to their property. A property without any depends on nothing
 * [REG-10].
 */
export const dependencies: NormalisePass = ({ request }) => {
  const all = uniqueUrns(request.dependencies, 'dependency');
  const said = byProperty(request.propertyDependencies);
  const assumed = request.remote || said !== NONE ? said : everyProperty(request.inputs, all);
  const found = withOutputs(assumed, request.inputs);
  return { goal: { dependencies: all, propertyDependencies: ofEvery(request.inputs, found) } };
};

/** Number of URNs up to which a search of the list costs less than a set. */
const FEW = 16;

/** Returns the URNs of an option, each once, in order. `property` is the property that they are about, if any. */
export function uniqueUrns(texts: readonly string[], option: string, property?: string): readonly Urn[] {
  if (texts.length > FEW) return [...new Set(texts)].map((text) => urnIn(text, option, property));
  const urns: Urn[] = [];
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] as string;
    const urn = urnIn(text, option, property);
    if (!urns.includes(urn)) urns.push(urn);
  }
  return urns;
}

function urnIn(text: string, option: string, property: string | undefined): Urn {
  return isUrn(text) ? text : urnOf(text, property === undefined ? option : `${option} of ${property}`);
}

/** Returns the dependencies by property of a request. */
export function byProperty(source: Readonly<Record<string, readonly string[]>>): ByProperty {
  let result: Record<string, readonly Urn[]> | undefined;
  for (const key in source) {
    result ??= newRecord<readonly Urn[]>();
    result[key] = uniqueUrns(source[key] ?? [], 'property dependency', key);
  }
  return result ?? NONE;
}

/** Makes every property depend on all URNs. */
export function everyProperty(inputs: PropertyMap, urns: readonly Urn[]): ByProperty {
  if (urns.length === 0) return NONE;
  const result = newRecord<readonly Urn[]>();
  for (const key in inputs) result[key] = urns;
  return result;
}

/** Returns the lists with an empty one for every property that has none. */
function ofEvery(inputs: PropertyMap, known: ByProperty): ByProperty {
  let copy: Record<string, readonly Urn[]> | undefined;
  for (const key in inputs) {
    if (known[key] !== undefined) continue;
    copy ??= copyOf(known);
    copy[key] = [];
  }
  return copy ?? known;
}

function copyOf(known: ByProperty): Record<string, readonly Urn[]> {
  return Object.assign(newRecord<readonly Urn[]>(), known);
}

/** Adds the dependencies of output values in a map to those of their top-level property, each once. */
export function withOutputs(known: ByProperty, values: PropertyMap): ByProperty {
  if (isEmptyMap(values)) return known;
  let copy: Record<string, readonly Urn[]> | undefined;
  for (const key in values) {
    const found = outputDependencies(values[key] as PropertyValue);
    if (found.length === 0) continue;
    copy ??= copyOf(known);
    copy[key] = [...new Set([...(copy[key] ?? []), ...found])];
  }
  return copy ?? known;
}
