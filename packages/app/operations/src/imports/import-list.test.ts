import { makeUrn } from '@cairn/addresses';
import { nopCrypter } from '@cairn/crypters';
import { isCairnError } from '@cairn/diagnostics';
import { propertyMap, secret } from '@cairn/values';
import { hasSealedValues, placeImport, readImportList, wishOfWords } from './import-list.js';

const SIGNATURE = '4dabf18193072939515e22adb298388d';
const SECRET = '1b47061264138c4ac30d75fd1eb44270';
const BASE = { pluginName: 'base', pluginVersion: 'v1.0.0', value: 'YmxvYg==' };
const STACK = { project: 'shop', stack: 'dev' };
const urnOf = (type: string, name: string, parent?: ReturnType<typeof makeUrn>) =>
  makeUrn({ ...STACK, type, name, parent });
const GROUP = urnOf('shop:index:Group', 'group');

const read = (list: unknown, protect = true) => readImportList(JSON.stringify(list), 'list.json', protect);
const place = (list: unknown) => placeImport(read(list), STACK);

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isCairnError(error)) return `${error.diagnostics[0]?.code} ${error.message}`;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('lists', () => {
  test('say everything about a resource', () => {
    const { items, urns, names, variables } = place({
      nameTable: { shelf: GROUP, north: urnOf('pulumi:providers:pkg', 'north') },
      resources: [
        {
          type: 'pkg:index:Thing',
          name: 'myThing',
          logicalName: 'my-thing',
          id: 'i-1',
          parent: 'shelf',
          provider: 'north',
          version: 'v1.2.3',
          pluginDownloadUrl: 'https://x/y',
          properties: ['a', 'b'],
          protect: false,
          inputs: {
            a: 1,
            key: { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', plaintext: '"s"' },
          },
          extension: { name: 'ext', version: '2.0.0', value: 'YmxvYg==' },
        },
      ],
    });
    expect(items).toEqual([
      {
        type: 'pkg:index:Thing',
        name: 'my-thing',
        id: 'i-1',
        component: false,
        remote: false,
        parent: GROUP,
        provider: urnOf('pulumi:providers:pkg', 'north'),
        protect: false,
        package: {
          version: '1.2.3',
          downloadUrl: 'https://x/y',
          checksums: {},
          extension: { name: 'ext', version: '2.0.0', value: Buffer.from('blob') },
        },
        properties: ['a', 'b'],
        inputs: propertyMap({ a: 1, key: secret('s') }),
        outputs: undefined,
      },
    ]);
    expect(urns).toEqual([urnOf('pkg:index:Thing', 'my-thing', GROUP)]);
    expect(names.get(GROUP)).toBe('shelf');
    expect(variables.get(urns[0] as never)).toBe('myThing');
  });

  test('name parents of their own, in any order; a component needs no id', () => {
    const { items, urns } = place({
      resources: [
        { type: 'pkg:index:Thing', name: 'leaf', id: '1', parent: 'branch' },
        { type: 'my:index:Group', name: 'branch', parent: 'root', component: true },
        { type: 'my:index:Group', name: 'root', component: true },
      ],
    });
    const root = urnOf('my:index:Group', 'root');
    const branch = urnOf('my:index:Group', 'branch', root);
    expect(urns).toEqual([urnOf('pkg:index:Thing', 'leaf', branch), branch, root]);
    expect(items.map(({ parent }) => parent)).toEqual([branch, root, undefined]);
    expect(items.map(({ protect }) => protect)).toEqual([true, true, true]);
  });

  test('have providers, by their names; settings may stand beside them', () => {
    const { items, urns } = place({
      nameTable: { south: urnOf('pulumi:providers:pkg', 'south') },
      resources: [
        {
          type: 'pkg:index:Thing',
          name: 'a',
          id: '1',
          provider: 'north',
          version: '2.0.0',
          parameterization: BASE,
        },
        { type: 'pulumi:providers:pkg', name: 'north', inputs: { region: 'n' } },
        { type: 'pkg:index:Thing', logicalName: 'b', id: '2', provider: 'south' },
      ],
      providerInputs: { south: { region: 's' }, north: { region: 'x' } },
    });
    const [south, a, north, b] = items;
    expect(urns[0]).toBe(urnOf('pulumi:providers:pkg', 'south'));
    expect([south?.inputs, north?.inputs]).toEqual([
      propertyMap({ region: 's' }),
      propertyMap({ region: 'n' }),
    ]);
    expect([a?.provider, b?.provider]).toEqual([urns[2], urns[0]]);
    expect(a?.package).toMatchObject({
      version: '1.0.0',
      parameterization: { base: 'base', name: 'pkg', version: '2.0.0', value: Buffer.from('blob') },
    });
    expect(b?.name).toBe('b');
  });

  test('may hold what is sealed', () => {
    const wish = read({
      resources: [{ ...thing, inputs: { key: { [SIGNATURE]: SECRET, ciphertext: '"s"' } } }],
    });
    expect(hasSealedValues(wish)).toBe(true);
    expect(placeImport(wish, STACK, nopCrypter).items[0]?.inputs).toEqual(propertyMap({ key: secret('s') }));
    expect(refusal(() => placeImport(wish, STACK))).toContain('the inputs of resource "x"');
  });

  const thing = { type: 'a:b:C', name: 'x', id: '1' };
  test.each<[string, unknown, string]>([
    ['other keys', { resources: [{ ...thing, nmae: 'y' }] }, 'resources[0] has the unknown key "nmae"'],
    ['no name', { resources: [{ type: 'a:b:C', id: '1' }] }, 'resources[0] has no name'],
    ['no type', { resources: [{ name: 'x', id: '1' }] }, 'resources[0] has no type'],
    [
      'a list of numbers',
      { resources: [{ ...thing, properties: [1] }] },
      'contains a value that is not a string',
    ],
    ['an id that is no text', { resources: [{ ...thing, id: 5 }] }, 'resources[0].id is not a string'],
    ['a flag that is none', { resources: [{ ...thing, component: 'yes' }] }, 'is not true or false'],
    ['no list', { resources: {} }, 'resources is not a list'],
    ['no object', [], 'it is not an object'],
    ['names that are no URNs', { nameTable: { a: 'b' }, resources: [] }, 'nameTable.a is not a URN'],
    [
      'a parameterization of nothing',
      { resources: [{ ...thing, parameterization: { pluginVersion: '1.0.0' } }] },
      'has no pluginName',
    ],
    [
      'a parameterization and an extension',
      { resources: [{ ...thing, parameterization: { pluginName: 'p' }, extension: { name: 'e' } }] },
      'has both',
    ],
    ['ids to be filled in', { resources: [{ ...thing, id: '<PLACEHOLDER>' }] }, 'of "x" must be filled in'],
    [
      'settings of nobody',
      { providerInputs: { p: {} }, resources: [] },
      'does not belong to a provider of the list',
    ],
  ])('with %s are refused', (_what, list, message) => {
    expect(refusal(() => read(list))).toContain(`CAIRN-USAGE list.json: `);
    expect(refusal(() => read(list))).toContain(message);
  });

  test.each<[string, unknown, string]>([
    ['parents', { resources: [{ ...thing, parent: 'p' }] }, 'the parent "p", which is not defined'],
    ['providers', { resources: [{ ...thing, provider: 'p' }] }, 'the provider "p", which is not defined'],
    ['things that are no provider', { resources: [{ ...thing, provider: 'x' }] }, 'which is not a provider'],
    [
      'ambiguous parents',
      { resources: [thing, { ...thing, logicalName: 'y' }, { ...thing, name: 'z', parent: 'x' }] },
      'several entries of the list have that name',
    ],
    [
      'circles',
      {
        resources: [
          { ...thing, parent: 'y' },
          { ...thing, name: 'y', parent: 'x' },
        ],
      },
      'is its own parent',
    ],
  ])('with unknown %s are refused', (_what, list, message) => {
    expect(refusal(() => place(list))).toContain(message);
  });

  test('that are no JSON are refused', () => {
    expect(refusal(() => readImportList('{', 'list.json', true))).toBe('CAIRN-USAGE list.json is not JSON');
  });
});

describe('words', () => {
  const words = { type: 'a:b:C', name: 'x', id: '1' };
  const options = { parent: undefined, provider: undefined, properties: [], protect: true };

  test('name parents by URN, or by what the program calls them', () => {
    const bare = placeImport(wishOfWords(words, { ...options, parent: GROUP }), STACK);
    expect(bare.items[0]?.parent).toBe(GROUP);
    const named = placeImport(wishOfWords(words, { ...options, parent: `shelf=${GROUP}` }), STACK);
    expect(named.items[0]?.parent).toBe(GROUP);
    expect(named.names.get(GROUP)).toBe('shelf');
  });

  test('are refused when they name no URN', () => {
    expect(refusal(() => wishOfWords(words, { ...options, provider: 'p=x' }))).toContain(
      '--provider takes a URN',
    );
  });
});
