import { atPath, sameElement } from '@cairn/tfplugin';
import type { PathStep, TfPath, TfValue } from '@cairn/tfplugin';
import type { PathSegment, PropertyPath } from '@cairn/values';
import type { Form, ObjectShape } from '../model/shape.js';

/**
 * Returns the property for an attribute path [TFE-5]. Elements of sets are identified by their place in `value`. The
 * path ends before a step that leads nowhere.
 */
export function propertyPath(shape: ObjectShape, path: TfPath, value?: TfValue): PropertyPath {
  return propertyPathOfForm({ t: 'object', shape }, path, value);
}

/** Does the same as {@link propertyPath} within a value of a form. */
export function propertyPathOfForm(form: Form, path: TfPath, value?: TfValue): PropertyPath {
  const segments: PathSegment[] = [];
  let at: Form | undefined = form;
  let within = value;
  for (const step of path) {
    if (at === undefined) break;
    const next = stepInto(at, step, within);
    if (next === undefined) break;
    if (next.segment !== undefined) segments.push(next.segment);
    within = within === undefined ? undefined : elementAt(within, step, next.segment);
    at = next.form;
  }
  return segments;
}

interface Next {
  /** Step of the path. Undefined if programs have none here. */
  readonly segment: PathSegment | undefined;
  readonly form: Form | undefined;
}

function stepInto(form: Form, step: PathStep, value: TfValue | undefined): Next | undefined {
  const key = typeof step === 'object' ? step.key : step;
  switch (form.t) {
    case 'object': {
      const part = typeof key === 'string' ? form.shape.byAttribute.get(key) : undefined;
      return part && { segment: part.property, form: part.form };
    }
    case 'one':
      return { segment: undefined, form: form.element };
    case 'map':
      return typeof key === 'string' ? { segment: key, form: form.element } : undefined;
    case 'list':
      return typeof key === 'number' ? { segment: key, form: form.element } : undefined;
    case 'tuple':
      return typeof key === 'number' ? { segment: key, form: form.elements[key] } : undefined;
    case 'set': {
      const index = placeInSet(step, value);
      return index < 0 ? undefined : { segment: index, form: form.element };
    }
    case 'value':
      return typeof key === 'string' || typeof key === 'number' ? { segment: key, form } : undefined;
  }
}

function placeInSet(step: PathStep, value: TfValue | undefined): number {
  if (typeof step === 'number') return step;
  if (typeof step === 'string' || value === undefined) return -1;
  const elements = atPath(value, []);
  return Array.isArray(elements)
    ? (elements as readonly TfValue[]).findIndex((each) => sameElement(each, step.key))
    : -1;
}

function elementAt(value: TfValue, step: PathStep, segment: PathSegment | undefined): TfValue | undefined {
  if (typeof step !== 'object') return atPath(value, [step]);
  return atPath(value, [typeof segment === 'number' || typeof step.key !== 'string' ? step : step.key]);
}

/**
 * Returns the attribute for a property path [TFE-5], or undefined if the schema has no such property. It ends at a set,
 * because elements of sets have no lasting place.
 */
export function attributePath(shape: ObjectShape, path: PropertyPath): TfPath | undefined {
  const steps: PathStep[] = [];
  let at: Form = { t: 'object', shape };
  for (const segment of path) {
    while (at.t === 'one') {
      if (at.of === 'set') return steps;
      steps.push(0);
      at = at.element;
    }
    if (at.t === 'set') return steps;
    if (at.t === 'object') {
      const part = at.shape.byProperty.get(String(segment));
      if (part === undefined) return undefined;
      steps.push(part.attribute);
      at = part.form;
      continue;
    }
    if (
      at.t === 'list' || at.t === 'tuple'
        ? typeof segment !== 'number'
        : at.t === 'map' && typeof segment !== 'string'
    )
      return undefined;
    steps.push(segment);
    if (at.t === 'list' || at.t === 'map') at = at.element;
    else if (at.t === 'tuple') at = at.elements[Number(segment)] ?? { t: 'value', type: 'dynamic' };
  }
  return steps;
}
