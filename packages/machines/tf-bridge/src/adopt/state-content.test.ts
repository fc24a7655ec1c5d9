import { secret } from '@cairn/values';
import { jsonTreeText } from '../state-file/json-tree.js';
import { readState } from '../state-file/read-state.js';
import { instanceMembers, writeState } from '../state-file/write-state.js';
import { givenResources } from './given-objects.js';
import type { GivenObject } from './given-objects.js';
import { logicalName, providerName } from './names.js';
import { stateContent, stateOutputs } from './state-content.js';

interface Row {
  readonly at: string;
  readonly type?: string;
  readonly mode?: string;
  readonly module?: string;
  readonly provider?: string;
  readonly instances?: readonly object[];
}

const HOST = 'registry.terraform.io/acme/file';

const stateOf = (rows: readonly Row[], outputs: object = {}) =>
  readState(
    Buffer.from(
      JSON.stringify({
        ...{ version: 4, terraform_version: '1.11.4', serial: 7, lineage: 'l', outputs },
        resources: rows.map(({ at, type = 'file_text', mode = 'managed', module, provider, instances }) => ({
          ...(module !== undefined && { module }),
          ...{ mode, type, name: at, provider: provider ?? `provider["${HOST}"]` },
          instances: (instances ?? [{}]).map((each) => ({
            schema_version: 0,
            attributes: { id: at },
            ...each,
          })),
        })),
        check_results: null,
      }),
    ),
    'x.tfstate',
  );

describe('what of a state becomes part of a stack [TFF-5]', () => {
  test('objects with their providers; data sources and what has no provider are left out by name', () => {
    const { objects, providers, leftOut } = stateContent(
      stateOf([
        { at: 'd', mode: 'data' },
        { at: 'own', type: 'terraform_data', provider: 'provider["terraform.io/builtin/terraform"]' },
        { at: 'old', provider: 'provider.file' },
        { at: 'n', instances: [{ index_key: 0 }, { index_key: 1, deposed: '00112233' }] },
        { at: 'n', module: 'module.m["k"]', provider: `module.m.provider["${HOST}"].two` },
      ]),
    );
    expect(objects.map(({ text }) => text)).toEqual([
      'file_text.n[0]',
      'file_text.n[1] (deposed 00112233)',
      'module.m["k"].file_text.n',
    ]);
    expect(providers.map((each) => providerName(each))).toEqual([undefined, 'module.m.file.two']);
    expect(leftOut).toEqual([
      'data.file_text.d: programs read data sources, which no state contains',
      'terraform_data.own: Terraform manages it itself, without a provider',
      expect.stringContaining(
        'file_text.old: the state does not contain the source of the provider file; run `terraform state',
      ),
    ]);
  });

  test.each<[string, readonly Row[], string, readonly string[]]>([
    [
      'every instance',
      [
        { at: 'a', instances: [{ index_key: 0 }, { index_key: 1 }] },
        { at: 'b', instances: [{ dependencies: ['file_text.a'] }] },
      ],
      'file_text.b',
      ['file_text.a[0]', 'file_text.a[1]'],
    ],
    [
      'what is in the same instance of a module',
      ['k', 'l'].flatMap((key) => [
        { at: 'a', module: `module.m["${key}"]` },
        { at: 'b', module: `module.m["${key}"]`, instances: [{ dependencies: ['module.m.file_text.a'] }] },
      ]),
      'module.m["l"].file_text.b',
      ['module.m["l"].file_text.a'],
    ],
    [
      'every instance of a module, from outside',
      [
        { at: 'a', module: 'module.m["k"]' },
        { at: 'a', module: 'module.m["l"]' },
        {
          at: 'b',
          instances: [{ dependencies: ['module.m.file_text.a', 'data.file_text.d', 'file_text.gone'] }],
        },
      ],
      'file_text.b',
      ['module.m["k"].file_text.a', 'module.m["l"].file_text.a'],
    ],
    [
      'no deposed object and not itself',
      [
        { at: 'a', instances: [{ deposed: '00112233' }] },
        { at: 'b', instances: [{ dependencies: ['file_text.a', 'file_text.b'] }] },
      ],
      'file_text.b',
      [],
    ],
  ])('a dependency is %s', (_what, rows, own, needed) => {
    const { objects } = stateContent(stateOf(rows));
    expect(objects.find(({ text }) => text === own)?.dependencies).toEqual(needed);
  });

  test('outputs are values of programs', () => {
    const { outputs } = stateOf([]);
    expect(outputs.size).toBe(0);
    const state = stateOf([], {
      text: { value: 'x', type: 'string', sensitive: true },
      some: { value: { n: 0.5, list: [null] }, type: ['object', { n: 'number', list: ['list', 'string'] }] },
    });
    expect(stateOutputs(state)).toEqual({ text: secret('x'), some: { n: 0.5, list: [null] } });
  });
});

describe('resources of a stack as resources of a state [TFF-6]', () => {
  const kept = (members: object = {}): string =>
    JSON.stringify({ type: 'file_text', schema_version: 1, attributes: { id: 'x' }, ...members });
  const given = (name: string, more: Partial<GivenObject> = {}): GivenObject => ({
    ...{ urn: `urn:${name}`, name, stored: kept(), source: HOST, provider: undefined },
    ...{ tainted: false, deposed: false, dependencies: [] },
    ...more,
  });

  test('what came from a state goes back as it was', () => {
    const state = stateOf([
      {
        at: 'n',
        instances: [
          { index_key: 'a', private: 'AAE=', status: 'tainted' },
          { index_key: 'b', deposed: 'ffffffff' },
        ],
      },
      {
        at: 'k',
        module: 'module.m["x"]',
        provider: `module.m.provider["${HOST}"]`,
        instances: [{ dependencies: ['data.file_text.d'], create_before_destroy: true, unheard: [1e400] }],
      },
    ]);
    const objects = stateContent(state).objects.map(({ address, instance, provider, text }) =>
      given(logicalName(address), {
        urn: text,
        stored: jsonTreeText(
          new Map([
            ['type', address.type],
            ...instanceMembers({ ...instance, key: undefined, tainted: false }),
          ]),
        ),
        provider: providerName(provider),
        tainted: instance.tainted,
        deposed: instance.deposed !== '',
      }),
    );
    const { resources, leftOut } = givenResources(objects);
    expect(leftOut).toEqual([]);
    const sensitive = state.resources.map((each) => ({
      ...each,
      instances: each.instances.map((one) => ({ ...one, sensitive: [] })),
    }));
    expect(writeState({ ...state, resources })).toBe(writeState({ ...state, resources: sensitive }));
  });

  test.each<[string, readonly GivenObject[], readonly string[]]>([
    [
      'names that are none of Terraform',
      [given('my file'), given('my_file')],
      ['file_text.my_file', 'file_text.my_file_2'],
    ],
    [
      'the same name in two types',
      [given('a'), given('b', { stored: kept({ type: 'file_copy' }) })],
      ['file_copy.b', 'file_text.a'],
    ],
    [
      'instances of which each has another provider',
      [given('a[0]'), given('a[1]', { provider: 'file.two' })],
      ['file_text.a[0]', 'file_text.a_1__2'],
    ],
  ])('%s', (_what, objects, expected) => {
    expect([...givenResources(objects).addresses.values()].sort()).toEqual(expected);
  });

  test('dependencies of the stack are told where the object does not say its own', () => {
    const { resources } = givenResources([
      given('a[0]'),
      given('a[1]'),
      given('b', { dependencies: ['urn:a[1]', 'urn:a[0]', 'urn:other'] }),
      given('old', { deposed: true, dependencies: ['urn:b'] }),
    ]);
    const text = JSON.stringify(
      resources.map(({ name, instances }) => [name, instances.map((each) => each.dependencies)]),
    );
    expect(text).toBe('[["a",[[],[]]],["b",[["file_text.a"]]],["old",[["file_text.b"]]]]');
    expect(resources[2]?.instances[0]?.deposed).toMatch(/^[0-9a-f]{8}$/);
  });

  test('what is none of a Terraform provider is left out with the reason', () => {
    const { resources, leftOut } = givenResources([
      given('a', { stored: undefined }),
      given('b', { source: undefined }),
      given('c', { stored: '{"attributes":{}}' }),
    ]);
    expect(resources).toEqual([]);
    expect(leftOut).toEqual([
      'urn:a: it does not belong to a Terraform provider',
      'urn:b: its provider was specified by a path, and so has no address',
      'urn:c: its stored state does not contain its type',
    ]);
  });
});
