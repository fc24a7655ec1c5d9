import { Dynamic, isRecord, record, sameElement, startsWith, TfUnknown } from '@cairn/tfplugin';
import type { TfPath, TfRecord, TfValue } from '@cairn/tfplugin';
import { equal, formatPath, getAt, isArray, isMap, plainOutputsMap, stripSecretsMap } from '@cairn/values';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import type { DiffKind, PropertyDiff } from '@cairn/wire';
import type { Form, ObjectShape } from '../model/shape.js';
import { propertyPath } from './paths.js';
import { toProperties } from './to-properties.js';

/** One place in which two objects differ, by both of its names. */
interface Difference {
  readonly path: PropertyPath;
  readonly attributes: TfPath;
  readonly kind: 'add' | 'delete' | 'update';
}

interface Walk {
  readonly found: Difference[];
}

/**
 * Returns the places in which two objects differ [TFE-6]: the smallest ones, lists by index, maps by key. Equal
 * elements of sets are paired; the others are removed and added.
 */
export function differences(shape: ObjectShape, before: TfValue, after: TfValue): readonly Difference[] {
  const found: Difference[] = [];
  walkObject(shape, before, after, [], [], { found });
  return found;
}

/** Inputs of the program for the object, before and after the change. */
export interface GivenInputs {
  readonly before: PropertyMap;
  readonly after: PropertyMap;
}

/**
 * Returns differences in the engine's form, by property path. An element of a set is named by its place in the
 * program's lists, by which others name it too. If the program has no such element, its place in the set is used.
 * A place requires a new object if it is, is in, or contains one of `replacePaths`. If no place shows one of these, its
 * property is reported instead.
 */
export function detailedDiff(
  shape: ObjectShape,
  before: TfValue,
  after: TfValue,
  replacePaths: readonly TfPath[],
  given: GivenInputs,
): Readonly<Record<string, PropertyDiff>> {
  const made = Object.create(null) as Record<string, PropertyDiff>;
  const shown = new Set<TfPath>();
  for (const { path, attributes, kind } of differences(shape, before, after)) {
    const causes = replacePaths.filter(
      (each) => startsWith(attributes, each) || startsWith(each, attributes),
    );
    for (const each of causes) shown.add(each);
    const isElement = typeof attributes.at(-1) === 'object' && typeof path.at(-1) === 'number';
    const side = kind === 'delete' ? ([given.before, before] as const) : ([given.after, after] as const);
    const key = formatPath(isElement ? placeInGiven(shape, path, ...side) : path);
    const isReplace = causes.length > 0 || made[key]?.kind.endsWith('-replace') === true;
    const both = made[key] === undefined ? kind : 'update';
    made[key] = { kind: isReplace ? (`${both}-replace` satisfies DiffKind) : both, inputDiff: false };
  }
  for (const each of replacePaths.filter((path) => !shown.has(path))) {
    const key = formatPath(propertyPath(shape, each, after));
    if (key !== '') made[key] = { kind: 'update-replace', inputDiff: false };
  }
  return made;
}

/**
 * Returns the path of an element of a set, by its place in the program's list: the first item that the element covers.
 */
function placeInGiven(
  shape: ObjectShape,
  path: PropertyPath,
  given: PropertyMap,
  value: TfValue,
): PropertyPath {
  const list = getAt(stripSecretsMap(plainOutputsMap(given)), path.slice(0, -1));
  const element = getAt(toProperties(shape, value, { unmarked: true }), path);
  if (!isArray(list) || element === undefined) return path;
  const at = list.findIndex((item) => covers(element, item));
  return at < 0 ? path : [...path.slice(0, -1), at];
}

/** Tells whether a value contains everything that a program gave for it. The provider may have added to that. */
function covers(value: PropertyValue, given: PropertyValue): boolean {
  if (!isMap(value) || !isMap(given)) return equal(value, given);
  return Object.entries(given).every(([key, each]) => each === null || covers(value[key] ?? null, each));
}

function walkObject(
  shape: ObjectShape,
  before: TfValue,
  after: TfValue,
  path: PropertyPath,
  attributes: TfPath,
  walk: Walk,
): void {
  const one = recordOf(before);
  const other = recordOf(after);
  for (const { attribute, property, form } of shape.parts) {
    const place = { path: [...path, property], attributes: [...attributes, attribute] };
    slot(form, one[attribute] ?? null, other[attribute] ?? null, place, walk);
  }
}

type Place = Omit<Difference, 'kind'>;

function slot(form: Form, before: TfValue, after: TfValue, place: Place, walk: Walk): void {
  if (sameElement(before, after)) return;
  const a = shownValue(form, before);
  const b = shownValue(form, after);
  if (a === null || b === null) {
    if (a !== b) walk.found.push({ ...place, kind: a === null ? 'add' : 'delete' });
    return;
  }
  if (a instanceof TfUnknown || b instanceof TfUnknown) {
    walk.found.push({ ...place, kind: 'update' });
    return;
  }
  inside(form, a, b, place, walk);
}

/** Returns the value that programs see: null instead of a collection without an element. */
function shownValue(form: Form, value: TfValue): TfValue {
  const bare = value instanceof Dynamic && form.t !== 'value' ? value.value : value;
  return form.t === 'one' && Array.isArray(bare) && bare.length === 0 ? null : bare;
}

function inside(form: Form, a: TfValue, b: TfValue, place: Place, walk: Walk): void {
  if (form.t === 'object') return walkObject(form.shape, a, b, place.path, place.attributes, walk);
  if (form.t === 'map') return maps(form.element, recordOf(a), recordOf(b), place, walk);
  if (!Array.isArray(a) || !Array.isArray(b)) {
    walk.found.push({ ...place, kind: 'update' });
    return;
  }
  const before = a as readonly TfValue[];
  const after = b as readonly TfValue[];
  if (form.t === 'set') return sets(before, after, place, walk);
  if (form.t === 'one') {
    const [one = null] = before;
    const [other = null] = after;
    const step = form.of === 'set' ? { key: other } : 0;
    return slot(form.element, one, other, { ...place, attributes: [...place.attributes, step] }, walk);
  }
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const here = { path: [...place.path, at], attributes: [...place.attributes, at] };
    const element = form.t === 'list' ? form.element : form.t === 'tuple' ? form.elements[at] : undefined;
    entry(element ?? { t: 'value', type: 'dynamic' }, before[at], after[at], here, walk);
  }
}

function maps(element: Form, before: TfRecord, after: TfRecord, place: Place, walk: Walk): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const here = { path: [...place.path, key], attributes: [...place.attributes, key] };
    entry(element, before[key], after[key], here, walk);
  }
}

/** Returns an element that may be missing, which is not the same as null. */
function entry(
  form: Form,
  before: TfValue | undefined,
  after: TfValue | undefined,
  place: Place,
  walk: Walk,
): void {
  if (before === undefined) walk.found.push({ ...place, kind: 'add' });
  else if (after === undefined) walk.found.push({ ...place, kind: 'delete' });
  else slot(form, before, after, place, walk);
}

function sets(before: readonly TfValue[], after: readonly TfValue[], place: Place, walk: Walk): void {
  const only = (kind: 'add' | 'delete', of: readonly TfValue[], without: readonly TfValue[]) => {
    for (const [at, element] of of.entries()) {
      if (without.some((each) => sameElement(each, element))) continue;
      const attributes = [...place.attributes, { key: element }];
      walk.found.push({ path: [...place.path, at], attributes, kind });
    }
  };
  only('delete', before, after);
  only('add', after, before);
}

const recordOf = (value: TfValue): TfRecord => (isRecord(value) ? value : record([]));
