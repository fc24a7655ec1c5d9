import { Secret } from '@cairn/values';
import { asUrn } from '@cairn/addresses';
import { ConstructRequest } from '../generated/pulumi/provider.js';
import { RegisterResourceRequest as Wire, TransformResourceOptions } from '../generated/pulumi/resource.js';
import { decodeRegistration, encodeRegistration } from '../monitor/registration.js';
import type { CodecName, CodecValues } from './codecs.js';
import { OPTION_FIELDS, OUR_OPTIONS, CALLBACK_OPTIONS, noRequestOptions } from './fields.js';

const urn = asUrn('urn:pulumi:s::p::a:b:C::x');
const hooks = {
  beforeCreate: ['a'],
  afterCreate: [],
  beforeUpdate: [],
  afterUpdate: [],
  beforeDelete: [],
  afterDelete: [],
  onError: ['c'],
};

/** Values of each codec besides its blank. */
const VALUES: { readonly [C in CodecName]: readonly CodecValues[C][] } = {
  flag: [true, false],
  text: ['t'],
  label: ['l'],
  texts: [['a', 'b']],
  textMap: [{ a: 'b' }, JSON.parse('{"__proto__":"b","constructor":"c"}') as Record<string, string>],
  lists: [{ a: [], b: [urn] }],
  timeouts: [{ create: '5m', update: '', delete: '1h' }],
  value: [null, 0, new Secret([1])],
  callbacks: [[{ target: 'h:1', token: 't', acceptsByteStrings: false }]],
  hooks: [hooks],
};

const request = {
  type: 'a:b:C',
  name: 'x',
  parent: '',
  custom: true,
  remote: false,
  inputs: {},
  ...noRequestOptions,
  sourcePosition: undefined,
  stackTrace: [],
  accepts: { secrets: true, resources: true, partialValues: true, resultReporting: true, byteStrings: true },
  aliasSpecs: true,
};

function there(options: object): object {
  const bytes = Wire.encode(encodeRegistration({ ...request, ...options })).finish();
  return decodeRegistration(Wire.decode(bytes));
}

test('a registration without options comes back without options', () => {
  expect(there({})).toMatchObject(noRequestOptions);
});

test.each(
  Object.entries(OPTION_FIELDS).flatMap(([option, { codec }]) =>
    codec === 'own rule' ? [] : VALUES[codec].map((value) => [option, value] as const),
  ),
)('%s: %j comes back, and nothing else changes', (option, value) => {
  expect(there({ [option]: value })).toEqual({ ...there({}), [option]: value });
});

test('no two options share a field, or a name towards transforms', () => {
  const fields = Object.values(OPTION_FIELDS).flatMap(({ field }) => field ?? []);
  expect(new Set(fields).size).toBe(fields.length);
  expect(new Set(CALLBACK_OPTIONS.map(({ name }) => name)).size).toBe(CALLBACK_OPTIONS.length);
});

/** Fields of the message that no option fills, because the adapters have a rule for them. */
test('transforms are told every field of the message', () => {
  const fields = CALLBACK_OPTIONS.flatMap(({ field }) => field ?? []);
  const message = Object.keys(TransformResourceOptions.fromPartial({}));
  expect(message.filter((field) => !(fields as string[]).includes(field)).sort()).toEqual([
    'aliases',
    'customTimeouts',
    'pluginChecksums',
    'pluginDownloadUrl',
    'replacementTrigger',
    'version',
  ]);
});

/** Fields of the message that are not options. */
const CONSTRUCTION = [
  ...['acceptsOutputValues', 'config', 'configSecretKeys', 'dryRun', 'inputDependencies', 'inputs'],
  ...['monitorEndpoint', 'name', 'organization', 'parallel', 'parent', 'project', 'stack'],
  ...['stackTraceHandle', 'type'],
];

test('constructors are told every option that their message has a field for', () => {
  const told = Object.entries(OPTION_FIELDS).flatMap(([option, { constructed }]) =>
    constructed === 'no' ? [] : [option === 'hooks' ? 'resourceHooks' : option],
  );
  const message = Object.keys(ConstructRequest.fromPartial({}));
  expect(message.filter((field) => !CONSTRUCTION.includes(field)).sort()).toEqual(told.sort());
});

test('options of our own are those that the common protocol does not have', () => {
  expect(OUR_OPTIONS).toEqual(['rollback', 'idempotencyKey', 'gate']);
});
