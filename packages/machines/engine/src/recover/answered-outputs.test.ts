import { makeUrn } from '@cairn/addresses';
import { Secret, propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Provider } from '@cairn/wire';
import { outputsToTell, outputsWanted, toldOutputs } from './answered-outputs.js';

/** Outputs of a completed step that only a person can supply. */

const type = 'p:index:Thing';
const entry = (inputs: PropertyMap) => ({
  urn: makeUrn({ project: 'p', stack: 's', type, name: 'a' }),
  type,
  inputs,
});
const withSchema = (schema: string): Provider =>
  ({ getSchema: async () => schema }) as Partial<Provider> as Provider;
const properties = {
  size: { type: 'integer' },
  note: { type: 'string' },
  address: { type: 'string' },
  token: { type: 'string', secret: true },
};
const described = withSchema(
  JSON.stringify({ resources: { [type]: { properties, required: ['address', 'size'] } } }),
);
const without = withSchema('{}');

const inputs = propertyMap({ size: 1, folder: 'f' });
test.each([
  [
    'what the schema has, from what is told and else from the inputs; inputs that are no outputs are left out',
    described,
    inputs,
    propertyMap({ address: 'x' }),
    { t: 'complete', outputs: { size: 1, address: 'x' } },
  ],
  [
    'an output that is told comes before the input of its name',
    described,
    inputs,
    propertyMap({ size: 2, address: 'x' }),
    { t: 'complete', outputs: { size: 2, address: 'x' } },
  ],
  [
    'what is secret in the schema',
    described,
    inputs,
    propertyMap({ address: 'x', token: 't' }),
    { t: 'complete', outputs: { size: 1, address: 'x', token: new Secret('t') } },
  ],
  [
    'all that is told, as soon as an input is secret',
    described,
    propertyMap({ size: secret(1) }),
    propertyMap({ address: 'x' }),
    { t: 'complete', outputs: { size: new Secret(1), address: new Secret('x') } },
  ],
  [
    'what is required and nobody has told',
    described,
    inputs,
    propertyMap({ note: 'n' }),
    { t: 'missing', missing: ['address'] },
  ],
  ['nothing told yet', described, propertyMap({}), undefined, { t: 'missing', missing: ['address', 'size'] }],
  [
    'an output that the schema does not have',
    described,
    inputs,
    propertyMap({ adress: 'x' }),
    { t: 'wrong', why: 'it has no output "adress"' },
  ],
  [
    'an output of another type',
    described,
    inputs,
    propertyMap({ address: 1 }),
    { t: 'wrong', why: 'its output "address" is of type string' },
  ],
  ['no schema, nothing told', without, inputs, undefined, { t: 'missing', missing: undefined }],
  ['no schema that can be read', withSchema('{'), inputs, undefined, { t: 'missing', missing: undefined }],
  [
    'no schema: inputs and all that is told',
    without,
    inputs,
    propertyMap({ more: 'm' }),
    { t: 'complete', outputs: { size: 1, folder: 'f', more: 'm' } },
  ],
] as const)('outputs of an object nobody can read: %s', async (_title, provider, given, told, expected) => {
  expect(await toldOutputs(provider, entry(given), told)).toEqual(expected);
});

test.each([
  ['world', described, 'creating', undefined],
  [undefined, described, 'deleting', undefined],
  [undefined, described, 'creating', { names: ['address', 'size'], needed: 'unless-read' }],
  ['record', described, 'creating', { names: ['address', 'size'], needed: 'always' }],
  [undefined, without, 'updating', { names: [], needed: 'always' }],
] as const)('outputs are asked for where reads are from %s (%#)', async (reads, provider, kind, expected) => {
  const doubt = { type: kind, resource: entry(propertyMap({})) } as unknown as Parameters<
    typeof outputsToTell
  >[2];
  expect(await outputsToTell(reads, provider, doubt)).toEqual(expected);
});

test('the question names what is missing and the command that answers it', () => {
  const doubt = { type: 'creating', resource: entry(propertyMap({})) } as unknown as Parameters<
    typeof outputsWanted
  >[1];
  const { summary, hint } = outputsWanted({ t: 'missing', missing: ['address'] }, doubt, 'done');
  expect(summary).toBe(
    'cannot record what was created for urn:pulumi:s::p::p:index:Thing::a: its provider cannot read these outputs of it: address',
  );
  expect(hint).toContain('{"address":"…"}');
  expect(hint).toMatch(/`cairn change resolve \S+ done --outputs FILE`/);
});
