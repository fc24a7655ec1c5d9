import { readCheckpoint } from './read-document.js';
import { readRoot } from './read-root.js';
import { emptyDeployment } from './serialized.js';
import type { SerializedDeployment, SerializedResource } from './serialized.js';
import { checkpointBytes } from './write-document.js';

const ROOT: SerializedResource = {
  urn: 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev',
  custom: false,
  type: 'pulumi:pulumi:Stack',
  outputs: { name: 'Zoë 🌻', quote: 'a "}]" \\' },
};
const DYING: SerializedResource = { ...ROOT, delete: true, outputs: { name: 'old' } };
const thing = (name: string): SerializedResource => ({
  urn: `urn:pulumi:dev::shop::a:b:C::${name}`,
  custom: true,
  id: name,
  type: 'a:b:C',
});

const stateOf = (...resources: readonly SerializedResource[]): SerializedDeployment => ({
  ...emptyDeployment,
  manifest: { time: '2030-01-01T00:00:00Z', magic: 'm', version: 'v1' },
  secretsProvider: { type: 'passphrase', state: '{"salt":"v1:x y"}' },
  resources,
});
const bytesOf = (state: SerializedDeployment): Uint8Array =>
  checkpointBytes('organization/shop/dev', state, { room: 8192, escapeHtml: false });

const STATES: readonly (readonly [string, SerializedDeployment])[] = [
  ['at the beginning', stateOf(ROOT, thing('a'), thing('b'))],
  ['behind others', stateOf(thing('a'), DYING, ROOT, thing('b'))],
  ['with texts that are not UTF-8', { ...stateOf(ROOT, thing('a')), byteStrings: true }],
];

test.each(STATES)('the root stack %s is found as soon as the text has it', (_title, state) => {
  const bytes = bytesOf(state);
  const whole = readCheckpoint(bytes, 'a file').deployment;
  const expected = { ...whole, resources: [ROOT] };
  const found = Array.from({ length: bytes.length + 1 }, (_, cut) =>
    readRoot(bytes.subarray(0, cut), 'a file'),
  );
  const first = found.findIndex((each) => each !== undefined);
  const end =
    Buffer.from(bytes).indexOf(JSON.stringify(ROOT.outputs)) +
    Buffer.byteLength(JSON.stringify(ROOT.outputs));
  expect([first > end, first < end + 8]).toEqual([true, true]);
  for (const each of found.slice(first)) expect(each).toEqual(expected);
});

test('a state without a root stack is known once all of it is there', () => {
  const bytes = bytesOf(stateOf(thing('a')));
  const text = Buffer.from(bytes).toString('utf8').trimEnd();
  expect(readRoot(bytes, 'a file')?.resources).toEqual([]);
  expect(readRoot(Buffer.from(text.slice(0, -1)), 'a file')).toBeUndefined();
});
