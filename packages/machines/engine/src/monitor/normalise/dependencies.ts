import type { Urn } from '@cairn/addresses';
import { isEmptyMap, newRecord, outputDependencies } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { blankOf } from '../../model/options.js';
import { urnOf } from '../refusal.js';
import type { RegisteredResources } from '../resources.js';
import type { NormalisePass } from './draft.js';

type ByProperty = Readonly<Record<string, readonly Urn[]>>;

const NONE: ByProperty = Object.freeze(Object.create(null) as Record<string, readonly Urn[]>);

/**
 * Collects the dependencies, each once. If a resource declares none by property, each of its properties depends on all
 * of them. Dependencies of output values are added to their property. A property without any depends on nothing
 * [REG-10].
 */
export const dependencies: NormalisePass = ({ request }, { resources }) => {
  const all = uniqueUrns(request.dependencies, 'dependency', resources);
  const said = byProperty(request.propertyDependencies, resources);
  const assumed = request.remote || said !== NONE ? said : everyProperty(request.inputs, all);
  const found = withOutputs(assumed, request.inputs);
  return { goal: { dependencies: all, propertyDependencies: ofEvery(request.inputs, found) } };
};

/** Number of URNs up to which a search of the list costs less than a set. */
const FEW = 16;
/** The list that entries share which have no URNs. */
const NO_URNS = blankOf('dependencies');

type Registered = Pick<RegisteredResources, 'get'>;

/**
 * Returns the URNs of an option, each once, in order. `property` is the property that they are about, if any. Entries
 * keep the list, which therefore has no room for further items and shares the texts of `registered` resources.
 */
export function uniqueUrns(
  texts: readonly string[],
  option: string,
  registered?: Registered,
  property?: string,
): readonly Urn[] {
  if (texts.length === 0) return NO_URNS;
  const subject = property === undefined ? option : `${option} of ${property}`;
  const urns = texts.map((text) => registered?.get(text as Urn)?.urn ?? urnOf(text, subject));
  const isShort = urns.length <= FEW;
  return isShort && urns.every((urn, at) => urns.indexOf(urn) === at) ? urns : [...new Set(urns)];
}

/** Returns the dependencies by property of a request. */
export function byProperty(
  source: Readonly<Record<string, readonly string[]>>,
  registered?: Registered,
): ByProperty {
  let result: Record<string, readonly Urn[]> | undefined;
  for (const key in source) {
    result ??= newRecord<readonly Urn[]>();
    result[key] = uniqueUrns(source[key] ?? [], 'property dependency', registered, key);
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
    copy[key] = NO_URNS;
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
