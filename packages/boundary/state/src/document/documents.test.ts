import { asProviderReference, asUrn } from '@cairn/addresses';
import { base64Crypter, noManagerCrypter } from '@cairn/crypters';
import { Secret, propertyMap } from '@cairn/values';
import { decodeExtensions } from '../snapshot/extension.js';
import { ENTRY_FIELDS } from './entry-fields.js';
import { resourceText } from './resource-format.js';
import { localTime, manifestMagic, newManifest, utcTime } from './manifest.js';
import { readCheckpoint, readUntypedDeployment } from './read-document.js';
import { encodeEntry } from '../snapshot/resource-codec.js';
import { resourceEntry } from '../snapshot/resource-entry.js';
import { emptyDeployment } from './serialized.js';
import type { SerializedDeployment, SerializedResource } from './serialized.js';
import { decodeSnapshot, encodeSnapshot } from '../snapshot/snapshot-codec.js';
import { checkpointBytes, formatVersion, untypedDeploymentText } from './write-document.js';
import { failureOf } from '../../test/failure-of.js';

const ROOT = 'urn:pulumi:dev::p::pulumi:pulumi:Stack::p-dev';
const THING = 'urn:pulumi:dev::p::a:b:C::x';
const PROVIDER = 'urn:pulumi:dev::p::pulumi:providers:a::default';

/** Every key of the format with a value that is not empty, in the order of the format. */
const FULL: SerializedResource = {
  urn: THING,
  custom: true,
  delete: true,
  id: 'i',
  type: 'a:b:C',
  inputs: { b: 1, a: '<x>' },
  outputs: { z: null },
  parent: ROOT,
  protect: true,
  taint: true,
  external: true,
  dependencies: [ROOT],
  initErrors: ['no'],
  provider: `${PROVIDER}::1`,
  propertyDependencies: { b: null, a: [ROOT], c: [] },
  pendingReplacement: true,
  additionalSecretOutputs: ['z'],
  aliases: [`${THING}2`],
  customTimeouts: { create: 1.5, read: 2 },
  importID: 'imp',
  retainOnDelete: true,
  deletedWith: ROOT,
  replaceWith: [ROOT],
  created: '2020-01-01T00:00:00.123456789Z',
  modified: '2020-01-02T00:00:00Z',
  sourcePosition: 'project:///index.ts#1,2',
  stackTrace: [{ sourcePosition: 'project:///index.ts#1' }, {}],
  ignoreChanges: ['a'],
  hideDiff: ['a[0].b', 'v["a.b"].c'],
  replaceOnChanges: ['b'],
  replacementTrigger: false,
  refreshBeforeUpdate: true,
  viewOf: ROOT,
  resourceHooks: { BeforeCreate: ['h'] },
  extensionRef: 'e',
  snippetID: 's',
};

const documentOf = (deployment: object, version = 3, features?: readonly string[]): string =>
  JSON.stringify({
    version,
    ...(features === undefined ? {} : { features }),
    checkpoint: { stack: 's', latest: deployment },
  });

describe('resources', () => {
  test('every key is written in the order of the format, maps sorted, nothing escaped for HTML', () => {
    const text = resourceText(FULL);
    expect(text).toBe(
      `{"urn":"${THING}","custom":true,"delete":true,"id":"i","type":"a:b:C","inputs":{"a":"<x>","b":1},"outputs":{"z":null},"parent":"${ROOT}","protect":true,"taint":true,"external":true,"dependencies":["${ROOT}"],"initErrors":["no"],"provider":"${PROVIDER}::1","propertyDependencies":{"a":["${ROOT}"],"b":null,"c":[]},"pendingReplacement":true,"additionalSecretOutputs":["z"],"aliases":["${THING}2"],"customTimeouts":{"create":1.5,"read":2},"importID":"imp","retainOnDelete":true,"deletedWith":"${ROOT}","replaceWith":["${ROOT}"],"created":"2020-01-01T00:00:00.123456789Z","modified":"2020-01-02T00:00:00Z","sourcePosition":"project:///index.ts#1,2","stackTrace":[{"sourcePosition":"project:///index.ts#1"},{}],"ignoreChanges":["a"],"hideDiff":["a[0].b","v[\\"a.b\\"].c"],"replaceOnChanges":["b"],"replacementTrigger":false,"refreshBeforeUpdate":true,"viewOf":"${ROOT}","resourceHooks":{"BeforeCreate":["h"]},"extensionRef":"e","snippetID":"s"}`,
    );
    expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(ENTRY_FIELDS));
  });

  test.each<[string, unknown, readonly string[]]>([
    ['texts', ['value', 'v["a.b"].c', 'v.list["*"]'], ['value', 'v["a.b"].c', 'v.list["*"]']],
    [
      'lists of segments',
      [['value'], ['v', 'a.b', 'c'], ['v', 'list', '*', 1]],
      ['value', 'v["a.b"].c', 'v.list["*"][1]'],
    ],
    ['both', ['a-b', ['a-b']], ['a-b', '["a-b"]']],
    ['a key without a text', [['a.b\\'], ['c']], ['c']],
  ])('hideDiff as %s is read and written as texts', (_name, hideDiff, written) => {
    const document = documentOf({ resources: [{ urn: THING, type: 'a:b:C', custom: true, hideDiff }] });
    const [resource] = readCheckpoint(document, 'dev.json').deployment?.resources ?? [];
    expect(resource?.hideDiff).toEqual(written);
  });

  test('empty values are left out, custom is not', () => {
    const empty: SerializedResource = {
      urn: THING,
      custom: false,
      type: 't',
      id: '',
      inputs: {},
      dependencies: [],
      protect: false,
      customTimeouts: { create: 0 },
      replacementTrigger: null,
    };
    expect(resourceText(empty)).toBe(`{"urn":"${THING}","custom":false,"type":"t"}`);
  });

  test('entries keep every field through the form of the file', () => {
    const entry = resourceEntry({
      urn: asUrn(THING),
      type: 'a:b:C',
      custom: true,
      id: 'i',
      inputs: propertyMap({ a: new Secret('s') }),
      outputs: propertyMap({ b: [1] }),
      parent: asUrn(ROOT),
      provider: asProviderReference(`${PROVIDER}::1`),
      delete: true,
      pendingReplacement: true,
      protect: true,
      taint: true,
      external: true,
      retainOnDelete: true,
      refreshBeforeUpdate: true,
      dependencies: [asUrn(ROOT)],
      propertyDependencies: { a: [asUrn(ROOT)] },
      deletedWith: asUrn(ROOT),
      replaceWith: [asUrn(ROOT)],
      viewOf: asUrn(ROOT),
      initErrors: ['e'],
      additionalSecretOutputs: ['b'],
      aliases: [asUrn(`${THING}2`)],
      customTimeouts: { create: 1, update: 2, delete: 3, read: 4 },
      importId: 'imp',
      created: 'c',
      modified: 'm',
      sourcePosition: 'p',
      stackTrace: [{ sourcePosition: 'q' }, { sourcePosition: undefined }],
      ignoreChanges: ['a'],
      replaceOnChanges: ['b'],
      hideDiffs: [
        ['a', 1],
        ['b', '*'],
      ],
      replacementTrigger: 0,
      resourceHooks: { AfterCreate: ['h'] },
      extensionRef: 'x',
      snippetId: 'y',
    });
    const snapshot = {
      resources: [entry],
      pendingOperations: [{ type: 'creating' as const, resource: entry }],
      secretsProvider: undefined,
      extensions: { x: { name: 'ext', version: '1.0.0', value: Buffer.from([0, 255]) } },
    };
    const text = Buffer.from(
      checkpointBytes('s', encodeSnapshot(snapshot, newManifest(new Date(0), 'v1'), base64Crypter)),
    ).toString();
    const { deployment } = readCheckpoint(text, 'f');
    expect(decodeSnapshot(deployment!, base64Crypter, 'f')).toEqual({
      ...snapshot,
      pluginVersions: {},
      snippets: [],
    });
    expect(Object.keys(encodeEntry(entry, base64Crypter)).sort()).toEqual(Object.keys(ENTRY_FIELDS).sort());
  });
});

test.each([
  ['not an object', 7, 'extensions["x"]'],
  ['a value that is no text', { name: 'e', version: '1.0.0', value: 1 }, 'extensions["x"].value'],
  ['a value that is no base64', { name: 'e', version: '1.0.0', value: '?' }, 'extensions["x"].value'],
])('an extension with %s is refused by name', (_title, extension, place) => {
  expect(() => decodeExtensions({ x: extension }, 'f')).toThrow(place);
});

describe('manifests [STATE-5]', () => {
  test.each([
    ['v3.260.0', '7dff0d166258e7f1d265e8e044021ea087795d58a0c6415ab6fe8b7c790e447f'],
    ['v3.0.0', '7b869d3b91a5a44252a7ad88e94dc424bf208a19f711cc73676ae04ca1494233'],
    ['', ''],
  ])('magic of %j', (version, magic) => {
    expect(manifestMagic(version)).toBe(magic);
  });

  test('times have trimmed fractions and their offset, and mean the same moment [STATE-2]', () => {
    const texts = [0, 500, 120, 123].map((ms) => localTime(new Date(Date.UTC(2030, 5, 1, 12, 0, 0, ms))));
    expect(texts.map((text) => /:00(\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(text)?.[1])).toEqual([
      undefined,
      '.5',
      '.12',
      '.123',
    ]);
    const utc = [0, 500, 120, 123].map((ms) => utcTime(new Date(Date.UTC(2030, 5, 1, 10, 20, 30, ms))));
    expect(utc).toEqual(['', '.5', '.12', '.123'].map((fraction) => `2030-06-01T10:20:30${fraction}Z`));
    expect(new Date(texts[3]!).getTime()).toBe(Date.UTC(2030, 5, 1, 12, 0, 0, 123));
  });
});

describe('checkpoints [STATE-3]', () => {
  test('the key order of a deployment, and nothing but metadata when it is empty', () => {
    const full: SerializedDeployment = {
      ...emptyDeployment,
      manifest: { time: 't', magic: 'm', version: 'v' },
      secretsProvider: { type: 'cloud', state: '{"url":"a\\u0026b","encryptedkey":"k"}' },
      resources: [{ urn: ROOT, custom: false, type: 'pulumi:pulumi:Stack' }],
      pendingOperations: [{ type: 'creating', resource: { urn: THING, custom: true, type: 'a:b:C' } }],
      integrityError: { version: '3', command: 'up', error: 'bad', envVars: { PULUMI_B: '2', CAIRN_A: '1' } },
      snippets: [
        {
          uuid: 'u',
          name: 'n',
          type: 't',
          code: 'c',
          descriptor: {
            parameterization: { value: 'AA==', name: 'q', version: '2' },
            downloadURL: 'l',
            version: '1',
            name: 'd',
            other: 1,
          },
          references: { r: ROOT },
        },
        { uuid: 'v', name: '', type: '', code: '', descriptor: { version: '', parameterization: null } },
      ],
      extensions: { e: { value: 'AP8=', version: '1.0.0', name: 'x' }, d: {} },
    };
    expect(Buffer.from(checkpointBytes('organization/p/dev', full)).toString()).toBe(
      `{"version":4,"features":["snippets-prototype"],"checkpoint":{"stack":"organization/p/dev","latest":{"manifest":{"time":"t","magic":"m","version":"v"},"secrets_providers":{"type":"cloud","state":{"url":"a\\u0026b","encryptedkey":"k"}},"resources":[{"urn":"${ROOT}","custom":false,"type":"pulumi:pulumi:Stack"}],"pending_operations":[{"resource":{"urn":"${THING}","custom":true,"type":"a:b:C"},"type":"creating"}],"metadata":{"integrity_error":{"version":"3","command":"up","error":"bad","env_vars":{"CAIRN_A":"1","PULUMI_B":"2"}}},"snippets":[{"uuid":"u","name":"n","type":"t","code":"c","descriptor":{"name":"d","version":"1","downloadURL":"l","parameterization":{"name":"q","version":"2","value":"AA=="}},"references":{"r":"${ROOT}"}},{"uuid":"v","name":"","type":"","code":"","descriptor":{"name":""}}],"extensions":{"d":{"name":"","version":"","value":null},"e":{"name":"x","version":"1.0.0","value":"AP8="}}}}}`,
    );
    expect(Buffer.from(checkpointBytes('s', emptyDeployment)).toString()).toBe(
      '{"version":3,"checkpoint":{"stack":"s","latest":{"manifest":{"time":"0001-01-01T00:00:00Z","magic":"","version":""},"metadata":{}}}}',
    );
  });

  test('reading and writing again gives the same bytes, the exact settings of the secrets manager included', () => {
    const text = `{"version":4,"features":["taint"],"checkpoint":{"stack":"s","latest":{"manifest":{"time":"2020-01-01T00:00:00+01:00","magic":"","version":""},"secrets_providers":{"type":"cloud","state":{"url":"a\\u0026b","2":1.0,"1":"x y"}},"resources":[${resourceText({ ...FULL, refreshBeforeUpdate: false, viewOf: '', replaceWith: [], resourceHooks: {}, extensionRef: '', snippetID: '' })}],"metadata":{}}}}`;
    const { deployment } = readCheckpoint(text, 'f');
    expect(deployment?.secretsProvider?.state).toBe('{"url":"a\\u0026b","2":1.0,"1":"x y"}');
    expect(Buffer.from(checkpointBytes('s', deployment)).toString()).toBe(text);
  });

  test('a large state is written as the small one is', () => {
    const resources = Array.from({ length: 3000 }, (_, index) => ({
      ...FULL,
      urn: `${THING}${index}`,
      id: 'é'.repeat(500),
    }));
    const text = Buffer.from(checkpointBytes('s', { ...emptyDeployment, resources })).toString();
    expect(text.length).toBeGreaterThan(1 << 21);
    expect(readCheckpoint(text, 'f').deployment?.resources).toEqual(resources);
  });

  test.each<[string, string, number, number | undefined]>([
    ['version 0 as created by init', '{"version":0,"checkpoint":{"stack":"organization/p/s"}}', 3, undefined],
    [
      'no envelope at all',
      `{"stack":"s","latest":{"resources":[{"urn":"${ROOT}","custom":false,"type":"t"}]}}`,
      3,
      1,
    ],
    ['version 1', documentOf({ resources: [{ urn: ROOT, custom: false, type: 't' }] }, 1), 3, 1],
    ['version 2', documentOf({ resources: [] }, 2), 3, 0],
    ['version 3', documentOf({ resources: [] }), 3, 0],
    ['version 4', documentOf({ resources: [] }, 4, ['views', 'hooks', 'byteString']), 4, 0],
    ['version 3 with features nobody knows', documentOf({ resources: [] }, 3, ['what']), 3, 0],
    ['no deployment', '{"version":3,"checkpoint":{"stack":"s"}}', 3, undefined],
    [
      'null everywhere',
      documentOf({
        manifest: null,
        resources: null,
        pending_operations: null,
        metadata: null,
        secrets_providers: null,
      }),
      3,
      0,
    ],
  ])('%s', (_name, text, version, resources) => {
    const document = readCheckpoint(text, 'f');
    expect(document.version).toBe(version);
    expect(document.deployment?.resources.length).toBe(resources);
  });

  test('versions 1 and 2 get property dependencies for every input key; defaults go [STATE-9]', () => {
    const resource = {
      urn: THING,
      custom: true,
      id: 'i',
      type: 'a:b:C',
      inputs: { a: 1, b: 2 },
      defaults: { c: 3 },
      external: true,
      dependencies: [ROOT],
    };
    const [one] = readCheckpoint(documentOf({ resources: [resource] }, 1), 'f').deployment!.resources;
    expect(one).toMatchObject({ propertyDependencies: { a: [ROOT], b: [ROOT] } });
    expect(one).not.toHaveProperty('defaults');
    expect(one).not.toHaveProperty('external');
    const [two] = readCheckpoint(
      documentOf({ resources: [{ ...resource, dependencies: undefined }] }, 2),
      'f',
    ).deployment!.resources;
    expect(two).toMatchObject({ external: true, propertyDependencies: { a: null, b: null } });
  });

  test('keys of old versions too are matched in any case', () => {
    const resource = { URN: THING, Custom: true, type: 'a:b:C', Inputs: { a: 1 }, Dependencies: [ROOT] };
    const [one] = readCheckpoint(documentOf({ resources: [resource] }, 2), 'f').deployment!.resources;
    expect(one).toMatchObject({ urn: THING, inputs: { a: 1 }, propertyDependencies: { a: [ROOT] } });
  });

  test('version 2 had pending operations, version 1 had none; neither had a secrets provider [STATE-9]', () => {
    const old = {
      resources: [],
      pending_operations: [
        {
          type: 'creating',
          resource: { urn: THING, custom: true, type: 'a:b:C', inputs: { a: 1 }, defaults: {} },
        },
      ],
      secrets_providers: { type: 'passphrase', state: {} },
    };
    const read = (version: number) => readCheckpoint(documentOf(old, version), 'f').deployment;
    expect(read(1)).toMatchObject({ pendingOperations: [], secretsProvider: undefined });
    expect(read(2)).toMatchObject({
      pendingOperations: [
        {
          type: 'creating',
          resource: {
            urn: THING,
            custom: true,
            type: 'a:b:C',
            inputs: { a: 1 },
            propertyDependencies: { a: null },
          },
        },
      ],
      secretsProvider: undefined,
    });
    expect(failureOf(() => readCheckpoint(documentOf({ resources: {} }, 1), 'f')).summary).toContain(
      '"resources" is not a list',
    );
  });

  test('a property without dependencies keeps its null or its empty list', () => {
    const resource = {
      urn: THING,
      custom: true,
      type: 'a:b:C',
      propertyDependencies: { a: [], b: null, c: [ROOT] },
    };
    const deployment = { ...emptyDeployment, resources: [resource] };
    const snapshot = decodeSnapshot(deployment, noManagerCrypter, 'f');
    expect(encodeSnapshot(snapshot, emptyDeployment.manifest, noManagerCrypter).resources).toEqual([
      resource,
    ]);
  });

  test('what an integrity check noted is exported whole', () => {
    const integrityError = { version: '3', command: 'up', error: 'bad', envVars: { PULUMI_A: '1' } };
    const text = untypedDeploymentText({ ...emptyDeployment, integrityError });
    expect(readUntypedDeployment(text, 'f').deployment?.integrityError).toEqual(integrityError);
  });

  test('what a person stores is escaped for HTML, also in what is passed through as it was read', () => {
    const deployment: SerializedDeployment = {
      ...emptyDeployment,
      secretsProvider: { type: 'cloud', state: '{"url":"a&b\u2028","x":"\\u003c"}' },
      resources: [{ urn: THING, custom: true, type: 'a:b:C', inputs: { '<k>': 'a & b', l: '\u2028' } }],
    };
    const text = Buffer.from(checkpointBytes('s', deployment, { escapeHtml: true })).toString();
    expect(text).toContain('"state":{"url":"a\\u0026b\\u2028","x":"\\u003c"}');
    expect(text).toContain('"inputs":{"\\u003ck\\u003e":"a \\u0026 b","l":"\\u2028"}');
    const plain = Buffer.from(checkpointBytes('s', deployment)).toString();
    expect(plain).toContain('"inputs":{"<k>":"a & b","l":"\\u2028"}');
    expect(readCheckpoint(text, 'f').deployment?.resources).toEqual(
      readCheckpoint(plain, 'f').deployment?.resources,
    );
  });

  test('of extensions those are stored that an entry needs, or a pending one', () => {
    const blob = (name: string) => ({ name, version: '1.0.0', value: Uint8Array.of(1) });
    const entry = (extensionRef: string) =>
      resourceEntry({ urn: asUrn(THING), type: 'a:b:C', custom: true, extensionRef });
    const snapshot = {
      resources: [entry('a')],
      pendingOperations: [{ type: 'creating' as const, resource: entry('b') }],
      secretsProvider: undefined,
      extensions: { a: blob('a'), b: blob('b'), c: blob('c') },
    };
    const { extensions } = encodeSnapshot(snapshot, emptyDeployment.manifest, noManagerCrypter);
    expect(Object.keys(extensions)).toEqual(['a', 'b']);
  });

  test('unknown keys are read over and not written', () => {
    const { deployment } = readCheckpoint(
      documentOf({ resources: [{ urn: ROOT, custom: false, type: 't', novel: 1 }], more: 2 }),
      'f',
    );
    expect(Buffer.from(checkpointBytes('s', deployment)).toString()).not.toMatch(/novel|more/);
  });
});

describe('refusals', () => {
  const resource = (more: object): string =>
    documentOf({ resources: [{ urn: THING, custom: true, type: 'a:b:C', ...more }] });
  test.each<[string, string, string, string]>([
    [
      'cut off',
      '{"version":3,"checkpoint":{"stack":"s"',
      'CAIRN-STATE-CORRUPT',
      'line 1, column 39 (offset 38)',
    ],
    ['cut off on line 3', '{\n"version":3,\n"checkpoint"', 'CAIRN-STATE-CORRUPT', 'line 3, column 13'],
    ['empty', ' \n', 'CAIRN-STATE-CORRUPT', 'the file is empty'],
    ['not an object', '[]', 'CAIRN-STATE-CORRUPT', 'not a JSON object'],
    ['version 5', documentOf({}, 5), 'CAIRN-STATE-TOO-NEW', 'unsupported checkpoint version 5'],
    [
      'unknown features',
      documentOf({}, 4, ['views', 'x', 'y']),
      'CAIRN-STATE-TOO-NEW',
      'unknown features: x, y',
    ],
    ['version text', '{"version":"3"}', 'CAIRN-STATE-CORRUPT', '"version" is not a whole number'],
    ['features text', '{"version":4,"features":"x"}', 'CAIRN-STATE-CORRUPT', '"features" is not a list'],
    [
      'checkpoint list',
      '{"version":3,"checkpoint":[]}',
      'CAIRN-STATE-CORRUPT',
      '"checkpoint" is not an object',
    ],
    [
      'latest text',
      '{"version":3,"checkpoint":{"latest":"x"}}',
      'CAIRN-STATE-CORRUPT',
      '"checkpoint.latest" is not an object',
    ],
    ['resources object', documentOf({ resources: {} }), 'CAIRN-STATE-CORRUPT', '"resources" is not a list'],
    [
      'a resource that is a text',
      documentOf({ resources: ['x'] }),
      'CAIRN-STATE-CORRUPT',
      'resources[0] is not an object',
    ],
    [
      'dependencies text',
      resource({ dependencies: 'x' }),
      'CAIRN-STATE-CORRUPT',
      `resources[0] (${THING}): "dependencies" is not a list of strings`,
    ],
    ['urn number', resource({ urn: 1 }), 'CAIRN-STATE-CORRUPT', '"urn" is not a string'],
    ['custom text', resource({ custom: 'yes' }), 'CAIRN-STATE-CORRUPT', '"custom" is not true or false'],
    ['inputs list', resource({ inputs: [] }), 'CAIRN-STATE-CORRUPT', '"inputs" is not an object'],
    [
      'timeouts text',
      resource({ customTimeouts: { create: '5m' } }),
      'CAIRN-STATE-CORRUPT',
      '"customTimeouts" is not an object of seconds',
    ],
    [
      'property dependencies text',
      resource({ propertyDependencies: { a: 'x' } }),
      'CAIRN-STATE-CORRUPT',
      '"propertyDependencies" is not',
    ],
    [
      'hideDiff that is no path',
      resource({ hideDiff: ['a['] }),
      'CAIRN-STATE-CORRUPT',
      '"hideDiff" is not a list of property paths',
    ],
    [
      'an operation of no kind',
      documentOf({ pending_operations: [{ type: 'guessing', resource: {} }] }),
      'CAIRN-STATE-CORRUPT',
      'pending_operations[0]: "type"',
    ],
    ['manifest text', documentOf({ manifest: 'x' }), 'CAIRN-STATE-CORRUPT', '"manifest" is not an object'],
  ])('%s', (_name, text, code, message) => {
    const failure = failureOf(() => readCheckpoint(text, 'dev.json'));
    expect(failure).toMatchObject({ code, summary: expect.stringContaining(message) });
    expect(failure.summary).toContain('dev.json');
    expect(failure.hint).not.toBe('');
  });

  test.each<[string, Partial<SerializedResource>, string]>([
    ['no urn', { urn: '' }, 'a resource without "urn": "urn" is missing'],
    ['no URN', { urn: 'x' }, '"urn" "x" is not a URN'],
    ['no type', { type: '' }, '"type" is missing'],
    ['a component with an id', { custom: false }, '"id" is set, but the resource is not custom'],
    ['a parent that is no URN', { parent: 'x' }, '"parent" has "x", which is not a URN'],
    ['a dependency that is no URN', { dependencies: ['x'] }, '"dependencies" has "x"'],
    ['a wrong provider', { provider: 'x' }, '"provider" is wrong'],
    [
      'a malformed secret',
      { inputs: { a: { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270' } } },
      '"inputs" contains a value that is a malformed secret',
    ],
  ])('decoding: %s', (_name, change, message) => {
    const deployment = {
      ...emptyDeployment,
      resources: [{ urn: THING, custom: true, id: 'i', type: 'a:b:C', ...change }],
    };
    const failure = failureOf(() => decodeSnapshot(deployment, base64Crypter, 'dev.json'));
    expect(failure).toMatchObject({ code: 'CAIRN-STATE-CORRUPT', summary: expect.stringContaining(message) });
  });

  test('a missing secrets manager matters only where a ciphertext is', () => {
    const plain = { urn: THING, custom: true, id: 'i', type: 'a:b:C', inputs: { a: 1 } };
    expect(
      decodeSnapshot({ ...emptyDeployment, resources: [plain] }, noManagerCrypter, 'f').resources,
    ).toHaveLength(1);
    const sealed = {
      ...plain,
      inputs: {
        a: { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', ciphertext: 'x' },
      },
    };
    expect(
      failureOf(() => decodeSnapshot({ ...emptyDeployment, resources: [sealed] }, noManagerCrypter, 'f'))
        .code,
    ).toBe('CAIRN-SECRETS-MALFORMED');
  });
});

describe('export documents', () => {
  test('without a deployment', () => {
    expect(untypedDeploymentText(undefined)).toBe('{\n    "version": 3,\n    "deployment": null\n}\n');
    expect(readUntypedDeployment(untypedDeploymentText(undefined), 'f')).toEqual({
      version: 3,
      deployment: undefined,
    });
  });

  test('read back as written', () => {
    const deployment = {
      ...emptyDeployment,
      secretsProvider: { type: 'passphrase', state: '{"salt":"v1:x"}' },
      resources: [FULL],
    };
    const text = untypedDeploymentText(deployment);
    expect(text).toContain('\n    "features": [\n        "extensionParameterization",\n');
    expect(readUntypedDeployment(text, 'f').deployment).toEqual(deployment);
  });

  test('a version below 1 is too old', () => {
    expect(failureOf(() => readUntypedDeployment('{"deployment":{}}', 'f'))).toMatchObject({
      code: 'CAIRN-STATE-TOO-OLD',
      summary: expect.stringContaining('too old'),
    });
    expect(failureOf(() => readUntypedDeployment('{"version":5,"deployment":{}}', 'f'))).toMatchObject({
      code: 'CAIRN-STATE-TOO-NEW',
      summary: expect.stringContaining('deployment version 5 is too new'),
    });
    expect(failureOf(() => readUntypedDeployment('{"version":3}', 'f')).code).toBe('CAIRN-STATE-CORRUPT');
  });
});

test.each<[string, Partial<SerializedResource>, readonly string[]]>([
  ['nothing', {}, []],
  ['refreshBeforeUpdate', { refreshBeforeUpdate: true }, ['refreshBeforeUpdate']],
  ['viewOf', { viewOf: ROOT }, ['views']],
  ['hooks', { resourceHooks: { AfterCreate: [] } }, ['hooks']],
  ['no hooks', { resourceHooks: {} }, []],
  ['taint', { taint: true }, ['taint']],
  ['replaceWith', { replaceWith: [ROOT] }, ['replaceWith']],
  ['snippet', { snippetID: 's' }, ['snippets-prototype']],
  ['extension', { extensionRef: 'e' }, ['extensionParameterization']],
  ['two', { taint: true, viewOf: ROOT }, ['taint', 'views']],
])('features: %s, on a resource and on a pending operation', (_name, change, features) => {
  const resource = { urn: THING, custom: true, type: 't', ...change };
  const version = features.length === 0 ? 3 : 4;
  expect(formatVersion({ ...emptyDeployment, resources: [resource] })).toEqual({ version, features });
  expect(formatVersion({ ...emptyDeployment, pendingOperations: [{ type: 'creating', resource }] })).toEqual({
    version,
    features,
  });
});

test('byteString counts only with something that could hold one, and survives reading', () => {
  const resources = [{ urn: THING, custom: true, type: 't' }];
  expect(formatVersion({ ...emptyDeployment, byteStrings: true }).features).toEqual([]);
  const text = Buffer.from(
    checkpointBytes('s', { ...emptyDeployment, byteStrings: true, resources }),
  ).toString();
  expect(text).toContain('"features":["byteString"]');
  expect(readCheckpoint(text, 'f').deployment?.byteStrings).toBe(true);
  // Features count from version 4 onwards.
  const three = text.replace('"version":4', '"version":3');
  expect(readCheckpoint(three, 'f').deployment?.byteStrings).toBe(false);
});

test.each<[string, readonly number[]]>([
  ['many small ones', Array.from({ length: 3000 }, () => 500)],
  ['a large one first', [3_000_000, ...Array.from({ length: 300 }, () => 500)]],
  ['large ones last', [...Array.from({ length: 300 }, () => 500), 3_000_000, 3_000_000]],
])('a checkpoint has all of its entries, whatever room there is for them: %s', (_title, sizes) => {
  const resources = sizes.map((size, index) => ({ ...FULL, urn: `${THING}${index}`, id: 'ä'.repeat(size) }));
  const state: SerializedDeployment = { ...emptyDeployment, resources };
  const whole = checkpointBytes('organization/p/dev', state, { room: 1 << 24 });
  expect(Buffer.compare(checkpointBytes('organization/p/dev', state), whole)).toBe(0);
  expect(readCheckpoint(whole, 'a file').deployment?.resources).toHaveLength(sizes.length);
});
