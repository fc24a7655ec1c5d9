import type { TfPath, TfType } from '../values/index.js';
import { equalValues, equalTypes, TfUnknown } from '../values/index.js';
import type { ContractFindings } from './finding.js';
import { satisfies } from './refinement.js';
import { compareSets } from './set-compatible.js';
import type { Typed } from './typed.js';
import { typedEntries, isTypedMap, isNull, isSet, isTypedUnknown, itemsOf } from './typed.js';

/** Judges the value of an attribute against the planned one. */
export function compareValue(planned: Typed, actual: Typed, path: TfPath, findings: ContractFindings): void {
  // Null or unknown of any type promises nothing about the result.
  if (planned.type === 'dynamic') return;
  if (!conforms(planned.type, actual.type)) return findings.add(path, 'TYPE');
  if (planned.value instanceof TfUnknown) {
    if (!satisfies(actual.value, planned.value.refinement)) findings.add(path, 'REFINEMENT');
    return;
  }
  if (isNull(planned) || isNull(actual)) {
    if (!isNull(planned)) findings.add(path, 'NOW_NULL');
    else if (!isNull(actual)) findings.add(path, 'WAS_NULL');
    return;
  }
  if (isTypedUnknown(actual)) return findings.add(path, 'NOW_UNKNOWN');
  const { type } = planned;
  if (typeof type === 'string') {
    if (!equalValues(type, planned.value, actual.value)) findings.add(path, 'CHANGED');
  } else if (isSet(planned)) compareSets(planned, actual, path, findings, compareValue);
  else if (type.kind === 'object') {
    const after = typedEntries(actual);
    for (const [name, each] of typedEntries(planned)) {
      compareValue(each, after.get(name) ?? each, [...path, name], findings);
    }
  } else compareKeyed(planned, actual, path, findings);
}

function compareKeyed(planned: Typed, actual: Typed, path: TfPath, findings: ContractFindings): void {
  const keyed = isTypedMap(planned);
  const parts = (of: Typed): ReadonlyMap<string | number, Typed> =>
    keyed ? typedEntries(of) : new Map(itemsOf(of).entries());
  const before = parts(planned);
  const after = parts(actual);
  for (const [key, each] of before) {
    const now = after.get(key);
    if (now === undefined) findings.add(path, 'ELEMENT_VANISHED', { key: String(key) });
    else compareValue(each, now, [...path, typeof key === 'number' ? key : { key }], findings);
  }
  for (const key of after.keys()) {
    if (!before.has(key)) findings.add(path, 'ELEMENT_APPEARED', { key: String(key) });
  }
}

/** Checks if a type fits a planned one, which may be open. */
function conforms(planned: TfType, actual: TfType): boolean {
  if (planned === 'dynamic') return true;
  if (typeof planned === 'string' || typeof actual === 'string') return planned === actual;
  if (planned.kind === 'object') {
    return (
      actual.kind === 'object' &&
      Object.keys(planned.attributes).length === Object.keys(actual.attributes).length &&
      Object.keys(planned.attributes).every((name) => {
        const type = actual.attributes[name];
        return type !== undefined && conforms(planned.attributes[name] as TfType, type);
      })
    );
  }
  if (planned.kind === 'tuple') {
    return (
      actual.kind === 'tuple' &&
      planned.elements.length === actual.elements.length &&
      planned.elements.every((each, at) => conforms(each, actual.elements[at] as TfType))
    );
  }
  return (
    planned.kind === actual.kind &&
    (equalTypes(planned, actual) || conforms(planned.element, (actual as typeof planned).element))
  );
}
