import fc from 'fast-check';
import { stack, thing } from '../../test/shop.js';
import type { Json } from '../values/go-json.js';
import { readCheckpoint } from './read-document.js';
import type { SerializedDeployment, SerializedResource } from './serialized.js';
import { checkpointBytes } from './write-document.js';

const values = fc.jsonValue({ depthSize: 'small' }) as fc.Arbitrary<Json>;
const resources = fc
  .tuple(fc.string({ unit: 'grapheme' }), values, fc.boolean(), fc.array(fc.string(), { maxLength: 2 }))
  .map(([name, value, protect, dependencies]) =>
    thing(name, {
      protect,
      dependencies,
      inputs: { value, '<10': name, 10: null },
      propertyDependencies: { value: dependencies },
    }),
  );

/** Reads what the writer has made of some resources, as a source of copies. */
function written(list: readonly SerializedResource[]) {
  const bytes = checkpointBytes('s', stack(...list));
  const { deployment, places = [] } = readCheckpoint(bytes, 'f');
  return { deployment: deployment as SerializedDeployment, bytes, places };
}

test('copied resources have the text that the writer makes of them, wherever they are', () => {
  const changes = fc.array(fc.record({ from: fc.nat(20), made: fc.option(resources) }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(resources, { maxLength: 12 }), changes, fc.boolean(), (list, picks, whole) => {
      const { deployment, bytes, places } = written(list);
      const read = deployment.resources;
      const picked = picks.flatMap(({ from, made }) => made ?? read[from] ?? []);
      const next = { ...deployment, resources: whole ? [...picked, ...read] : picked };
      const copied = checkpointBytes('s', next, { copyFrom: { bytes, resources: read, places } });
      expect(Buffer.from(copied).toString()).toBe(Buffer.from(checkpointBytes('s', next)).toString());
    }),
  );
});

test('only identical objects are copied, and none into the document of a person', () => {
  const { deployment, bytes, places } = written([thing('a'), thing('b'), thing('c')]);
  const read = deployment.resources;
  const copyFrom = {
    bytes: Buffer.from(Buffer.from(bytes).toString().replaceAll('id-', 'ID-')),
    resources: read,
    places,
  };
  const changed = { ...deployment, resources: [read[1]!, read[2]!, { ...read[0]! }] };
  const idsIn = (text: Uint8Array) =>
    Buffer.from(text)
      .toString()
      .match(/id-\w|ID-\w/g);
  expect(idsIn(checkpointBytes('s', changed, { copyFrom }))).toEqual(['ID-b', 'ID-c', 'id-a']);
  expect(idsIn(checkpointBytes('s', changed, { copyFrom, escapeHtml: true }))).toEqual([
    'id-b',
    'id-c',
    'id-a',
  ]);
});

test('a buffer without room for the copies grows', () => {
  const { deployment, bytes, places } = written([
    thing('a', { inputs: { text: 'x'.repeat(1 << 20) } }),
    thing('b'),
  ]);
  const next = { ...deployment, resources: [...deployment.resources, ...deployment.resources] };
  const copyFrom = { bytes, resources: deployment.resources, places };
  expect(Buffer.compare(checkpointBytes('s', next, { copyFrom }), checkpointBytes('s', next))).toBe(0);
});
