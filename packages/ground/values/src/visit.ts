import type { Urn } from '@cairn/addresses';
import type { PathSegment, PropertyPath } from './path.js';
import { unreachableKind } from './unreachable-kind.js';
import { UNKNOWN, OutputValue, Secret, kindOf, newMap } from './value.js';
import type { PropertyArray, PropertyMap, PropertyValue, ResourceReference } from './value.js';

/**
 * Rebuilds a value bottom-up: children first, then `change` on the rebuilt value. Containers whose children did not
 * change are kept as they are, so an identity pass allocates nothing. Assets and archives are leaves.
 */
export function transform(
  value: PropertyValue,
  change: (value: PropertyValue) => PropertyValue,
): PropertyValue {
  const kind = kindOf(value);
  switch (kind) {
    case 'array':
      return change(mapArray(value as PropertyArray, (item) => transform(item, change)));
    case 'object':
      return change(mapValues(value as PropertyMap, (item) => transform(item, change)));
    case 'secret': {
      const inner = (value as Secret).value;
      const changed = transform(inner, change);
      return change(changed === inner ? value : new Secret(changed));
    }
    case 'output': {
      const output = value as OutputValue;
      if (output.value === undefined) return change(output);
      const changed = transform(output.value, change);
      return change(
        changed === output.value ? output : new OutputValue(changed, output.secret, output.dependencies),
      );
    }
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
    case 'unknown':
    case 'asset':
    case 'archive':
    case 'reference':
    case 'bytes':
      return change(value);
    default:
      return unreachableKind(kind);
  }
}

/** {@link transform} over every property of a map. */
export function transformMap(map: PropertyMap, change: (value: PropertyValue) => PropertyValue): PropertyMap {
  return mapValues(map, (item) => transform(item, change));
}

/** Applies `change` to each property. Returns the same map if nothing changed. */
export function mapValues(
  map: PropertyMap,
  change: (value: PropertyValue, key: string) => PropertyValue,
): PropertyMap {
  let copy: { [key: string]: PropertyValue } | undefined;
  for (const key in map) {
    const value = map[key] as PropertyValue;
    const changed = change(value, key);
    if (changed !== value && !(changed !== changed && value !== value)) {
      copy ??= Object.assign(newMap(), map);
      copy[key] = changed;
    }
  }
  return copy ?? map;
}

function mapArray(items: PropertyArray, change: (value: PropertyValue) => PropertyValue): PropertyArray {
  let copy: PropertyValue[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as PropertyValue;
    const changed = change(item);
    if (changed !== item && !(changed !== changed && item !== item)) {
      copy ??= [...items];
      copy[index] = changed;
    }
  }
  return copy ?? items;
}

/**
 * Tells whether `test` holds for the value or anything inside it. Looks into secrets and outputs, stops at the first
 * match.
 */
export function some(value: PropertyValue, test: (value: PropertyValue) => boolean): boolean {
  if (test(value)) return true;
  switch (kindOf(value)) {
    case 'array': {
      const items = value as PropertyArray;
      for (let index = 0; index < items.length; index++)
        if (some(items[index] as PropertyValue, test)) return true;
      return false;
    }
    case 'object':
      for (const key in value as PropertyMap) {
        if (some((value as PropertyMap)[key] as PropertyValue, test)) return true;
      }
      return false;
    case 'secret':
      return some((value as Secret).value, test);
    case 'output': {
      const inner = (value as OutputValue).value;
      return inner !== undefined && some(inner, test);
    }
    default:
      return false;
  }
}

/** Tells whether anything in the value is not known yet, including unknown outputs and unknown ids of references. */
export function containsUnknown(value: PropertyValue): boolean {
  return some(value, isUnknown);
}

function isUnknown(item: PropertyValue): boolean {
  const kind = kindOf(item);
  if (kind === 'unknown') return true;
  if (kind === 'output') return (item as OutputValue).value === undefined;
  if (kind === 'reference') {
    const id = (item as { readonly id?: PropertyValue | undefined }).id;
    return id !== undefined && kindOf(id) === 'unknown';
  }
  return false;
}

/**
 * Returns the path of the first value that is not known yet, or `undefined` if all are known. Marks add nothing to the
 * path.
 */
export function unknownPath(value: PropertyValue): PropertyPath | undefined {
  if (!containsUnknown(value)) return undefined;
  const inside = entriesOf(value).find(([, item]) => containsUnknown(item));
  if (inside === undefined) return [];
  const [segment, item] = inside;
  const rest = unknownPath(item) ?? [];
  return segment === undefined ? rest : [segment, ...rest];
}

/** Returns the values directly inside a value, each with its segment. Leaves contain none. */
function entriesOf(value: PropertyValue): readonly (readonly [PathSegment | undefined, PropertyValue])[] {
  const kind = kindOf(value);
  switch (kind) {
    case 'array':
      return (value as PropertyArray).map((item, index) => [index, item]);
    case 'object':
      return Object.entries(value as PropertyMap);
    case 'secret':
      return [[undefined, (value as Secret).value]];
    case 'output': {
      const inner = (value as OutputValue).value;
      return inner === undefined ? [] : [[undefined, inner]];
    }
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
    case 'unknown':
    case 'asset':
    case 'archive':
    case 'reference':
    case 'bytes':
      return [];
    default:
      return unreachableKind(kind);
  }
}

/** Tells whether anything in the value is secret. */
export function containsSecret(value: PropertyValue): boolean {
  return some(value, isSecret);
}

function isSecret(item: PropertyValue): boolean {
  const kind = kindOf(item);
  return kind === 'secret' || (kind === 'output' && (item as OutputValue).secret);
}

/** Returns the value without secret marks at any depth, for comparisons and for peers that must get bare values. */
export function stripSecrets(value: PropertyValue): PropertyValue {
  return transform(value, stripped);
}

function stripped(item: PropertyValue): PropertyValue {
  const kind = kindOf(item);
  if (kind === 'secret') return (item as Secret).value;
  if (kind === 'output' && (item as OutputValue).secret) {
    const output = item as OutputValue;
    return new OutputValue(output.value, false, output.dependencies);
  }
  return item;
}

/** {@link stripSecrets} over every property of a map. */
export function stripSecretsMap(map: PropertyMap): PropertyMap {
  return mapValues(map, stripSecrets);
}

/** Returns the value with each output value reduced to its content: unknown, bare or secret. Dependencies are lost. */
export function plainOutputs(value: PropertyValue): PropertyValue {
  return transform(value, plainOutput);
}

function plainOutput(item: PropertyValue): PropertyValue {
  if (kindOf(item) !== 'output') return item;
  const output = item as OutputValue;
  const inner = output.value === undefined ? UNKNOWN : output.value;
  return output.secret ? new Secret(inner) : inner;
}

/** {@link plainOutputs} over every property of a map. */
export function plainOutputsMap(map: PropertyMap): PropertyMap {
  return mapValues(map, plainOutputs);
}

/**
 * Returns the value with references to resources reduced to the form for peers without references. That is the id
 * (unknown if it is not known); for components the URN.
 */
function plainReferences(value: PropertyValue): PropertyValue {
  return transform(value, plainReference);
}

function plainReference(item: PropertyValue): PropertyValue {
  if (kindOf(item) !== 'reference') return item;
  const { id, urn } = item as ResourceReference;
  return id === '' ? UNKNOWN : (id ?? urn);
}

/** {@link plainReferences} over every property of a map. */
export function plainReferencesMap(map: PropertyMap): PropertyMap {
  return mapValues(map, plainReferences);
}

/** Returns the URNs that output values inside the value name, in order of appearance, each once. */
export function outputDependencies(value: PropertyValue): readonly Urn[] {
  let found: Set<Urn> | undefined;
  some(value, (item) => {
    if (kindOf(item) !== 'output') return false;
    found ??= new Set();
    for (const urn of (item as OutputValue).dependencies) found.add(urn);
    return false;
  });
  return found === undefined ? [] : [...found];
}
