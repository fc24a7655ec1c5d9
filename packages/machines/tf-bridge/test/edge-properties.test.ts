import fc from 'fast-check';
import { equalValues, impliedType } from '@cairn/tfplugin';
import type { Block } from '@cairn/tfplugin';
import {
  containsSecret,
  emptyMap,
  equalMaps,
  getAt,
  isArray,
  isMap,
  isSecret,
  secret,
  stripSecretsMap,
} from '@cairn/values';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import {
  attributePath,
  detailedDiff,
  differences,
  propertyPath,
  toProperties,
  toTerraform,
} from '../src/values/index.js';
import { makeShape } from '../src/model/make-shape.js';
import type { BlockShape, Form, ObjectShape } from '../src/model/shape.js';
import { blockArbitrary, valueArbitrary } from './random-schemas.js';

const RESERVED = new Map([
  ['id', 'resourceId'],
  ['urn', 'resourceUrn'],
  ['__terraform', '__terraform_2'],
]);

const shapeOf = (block: Block): BlockShape =>
  makeShape(block, { of: 'x', fields: new Map(), reserved: RESERVED, hasId: true });

/** A schema, and a value of it. */
const object = blockArbitrary().chain((block) =>
  valueArbitrary(block).map((value) => ({ block, shape: shapeOf(block), value })),
);

const times = { numRuns: 200 };

function shapesIn(form: Form): readonly ObjectShape[] {
  if (form.t === 'value') return [];
  if (form.t === 'tuple') return form.elements.flatMap(shapesIn);
  if (form.t !== 'object') return shapesIn(form.element);
  return [form.shape, ...form.shape.parts.flatMap((part) => shapesIn(part.form))];
}

describe('any schema, any value', () => {
  test('every object has one property for each attribute, and back [TFN-3]', () => {
    fc.assert(
      fc.property(blockArbitrary(), (block) => {
        for (const { parts, byProperty, byAttribute } of shapesIn({ t: 'object', shape: shapeOf(block) })) {
          expect(byProperty.size).toBe(parts.length);
          expect(byAttribute.size).toBe(parts.length);
          for (const part of parts) {
            expect(byProperty.get(part.property)).toBe(part);
            expect(byAttribute.get(part.attribute)).toBe(part);
          }
        }
      }),
      times,
    );
  });

  test('what a provider returns and a program gives back is the same value [TFE-1] [TFE-3]', () => {
    fc.assert(
      fc.property(object, ({ block, shape, value }) => {
        const back = toTerraform(shape, toProperties(shape, value)).value;
        expect(equalValues(impliedType(block), back, value)).toBe(true);
      }),
      times,
    );
  });

  test('what a program gives comes back to it was [TFE-1]', () => {
    fc.assert(
      fc.property(object, ({ shape, value }) => {
        const properties = toProperties(shape, value, { unmarked: true });
        const { value: given, secrets } = toTerraform(shape, properties);
        expect(secrets).toEqual([]);
        expect(equalMaps(toProperties(shape, given, { unmarked: true }), properties)).toBe(true);
      }),
      times,
    );
  });

  test('what was given as a secret is in a secret when it comes back, and nothing else is [TFE-2]', () => {
    fc.assert(
      fc.property(object, fc.infiniteStream(fc.nat(5)), ({ shape, value }, chances) => {
        const bare = toProperties(shape, value, { unmarked: true });
        const marked = withSecrets(bare, () => chances.next().value === 0) as PropertyMap;
        const { value: given, secrets } = toTerraform(shape, marked);
        const back = toProperties(shape, given, { secrets });
        expect(equalMaps(stripSecretsMap(back), bare)).toBe(true);
        for (const path of secretPaths(marked)) expect(isWithinSecret(back, path)).toBe(true);
        if (!containsSecret(marked)) expect(equalMaps(back, toProperties(shape, given))).toBe(true);
      }),
      times,
    );
  });

  test('the path of a property leads to its attribute and back [TFE-5]', () => {
    fc.assert(
      fc.property(object, ({ shape, value }) => {
        for (const path of paths(toProperties(shape, value, { unmarked: true }))) {
          const attributes = attributePath(shape, path);
          expect(attributes).toBeDefined();
          const back = propertyPath(shape, attributes ?? [], value);
          // A path into a set ends at the set.
          expect(back).toEqual(path.slice(0, back.length));
          if (back.length < path.length) expect(isAtSet(shape, back)).toBe(true);
        }
      }),
      times,
    );
  });

  test('two values differ where they are not equal, and nowhere else [TFE-6]', () => {
    const two = blockArbitrary().chain((block) =>
      fc
        .tuple(valueArbitrary(block), valueArbitrary(block), fc.boolean())
        .map(([a, b, same]) => ({ block, shape: shapeOf(block), a, b: same ? a : b })),
    );
    fc.assert(
      fc.property(two, ({ block, shape, a, b }) => {
        const same = equalValues(impliedType(block), a, b);
        const found = differences(shape, a, b);
        expect(found.length === 0).toBe(same);
        const kinds = Object.values(detailedDiff(shape, a, b, [], { before: emptyMap, after: emptyMap })).map(
          ({ kind }) => kind,
        );
        expect(kinds.every((kind) => !kind.endsWith('replace'))).toBe(true);
        expect(kinds.length > 0).toBe(!same);
      }),
      times,
    );
  });
});

function withSecrets(value: PropertyValue, now: () => boolean): PropertyValue {
  if (isArray(value))
    return mark(
      value.map((each) => withSecrets(each, now)),
      now,
    );
  if (!isMap(value)) return mark(value, now);
  const made = Object.create(null) as Record<string, PropertyValue>;
  for (const key of Object.keys(value)) made[key] = withSecrets(value[key] as PropertyValue, now);
  return made;
}

const mark = (value: PropertyValue, now: () => boolean): PropertyValue => (now() ? secret(value) : value);

function secretPaths(value: PropertyValue, at: PropertyPath = []): readonly PropertyPath[] {
  if (isSecret(value)) return [at];
  if (isArray(value)) return value.flatMap((each, index) => secretPaths(each, [...at, index]));
  if (!isMap(value)) return [];
  return Object.keys(value).flatMap((key) => secretPaths(value[key] as PropertyValue, [...at, key]));
}

function isWithinSecret(value: PropertyValue, path: PropertyPath): boolean {
  return path.some((_each, at) => isSecret(getAt(value, path.slice(0, at + 1))));
}

function paths(value: PropertyValue, at: PropertyPath = []): readonly PropertyPath[] {
  if (isArray(value)) return value.flatMap((each, index) => paths(each, [...at, index]));
  if (!isMap(value)) return [at];
  return Object.keys(value).flatMap((key) => paths(value[key] as PropertyValue, [...at, key]));
}

/** Tells whether a property is a set, or a value of at most one element that represents one. */
function isAtSet(shape: ObjectShape, path: PropertyPath): boolean {
  let at: Form | undefined = { t: 'object', shape };
  for (const segment of path) {
    while (at?.t === 'one') at = at.element;
    if (at === undefined || at.t === 'value') return false;
    if (at.t === 'object') at = at.shape.byProperty.get(String(segment))?.form;
    else at = at.t === 'tuple' ? at.elements[Number(segment)] : at.element;
  }
  return at?.t === 'set' || (at?.t === 'one' && at.of === 'set');
}
