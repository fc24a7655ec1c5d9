import { SharedTexts } from './shared-texts.js';
import type { SerializedResource } from './serialized.js';

const URN = 'urn:pulumi:dev::app::pkg:index:Thing::one';

/** Counts how often a text is replaced by one of another resource or map, which no comparison of texts can show. */
function replaced(resource: object): readonly string[] {
  const names: string[] = [];
  const watch = <T extends object>(target: T, place: string): T =>
    new Proxy(target, {
      get: (of, key): unknown => {
        const value = Reflect.get(of, key) as unknown;
        return typeof value === 'object' && value !== null ? watch(value, `${place}${String(key)}.`) : value;
      },
      set: (of, key, value) => {
        names.push(`${place}${String(key)}`);
        return Reflect.set(of, key, value);
      },
    });
  new SharedTexts().share(watch(resource, '') as SerializedResource);
  return names;
}

test('references and outputs that are inputs again get the text that is there already', () => {
  const resource = {
    ...{ urn: URN, custom: true, type: 'pkg:index:Thing', parent: URN, dependencies: [URN] },
    propertyDependencies: { a: [URN], b: null },
    inputs: { same: 'text', other: 'x', number: 1, __proto__: null },
    outputs: { same: 'text', other: 'y', number: 1, more: 'z', __proto__: null },
  };
  expect(replaced(structuredClone(resource))).toEqual([
    ...['urn', 'type', 'parent', 'dependencies.0', 'propertyDependencies.a.0', 'outputs.same'],
  ]);
});

test('a resource remains as it is', () => {
  const resource = { urn: URN, custom: false, type: 't', inputs: { a: ['x'] }, outputs: { a: ['x'], b: {} } };
  expect(new SharedTexts().share(structuredClone(resource))).toEqual(resource);
});
