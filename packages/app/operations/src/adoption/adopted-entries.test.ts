import { makeProviderReference, makeUrn, rootStackUrn } from '@cairn/addresses';
import { isCairnError } from '@cairn/diagnostics';
import { resourceEntry } from '@cairn/state';
import { emptyMap, propertyMap, secret } from '@cairn/values';
import { adoptedEntries } from './adopted-entries.js';
import type { AdoptedObject, Adoption, Adopter } from './adopted-entries.js';

const STACK = { project: 'shop', stack: 'dev' };
const ROOT = rootStackUrn('shop', 'dev');
const urnOf = (type: string, name: string) => makeUrn({ ...STACK, type, name });
const thing = (name: string) => urnOf('pkg:index:Thing', name);
const PROVIDER = urnOf('pulumi:providers:pkg', 'default_1_2_3');

const object = (name: string, more: Partial<AdoptedObject> = {}): AdoptedObject => ({
  ...{
    address: `thing.${name}`,
    type: 'pkg:index:Thing',
    name,
    id: `id-${name}`,
    inputs: emptyMap,
    outputs: emptyMap,
  },
  ...{ tainted: false, deposed: false, provider: 0, dependencies: [] },
  ...more,
});
const pkg = {
  ...{ package: 'pkg', version: '1.2.3', downloadUrl: '', checksums: {} },
  parameterization: { pluginName: 'base', pluginVersion: '0.1.0', value: Buffer.from('{}') },
};
const adoption = (objects: readonly AdoptedObject[], more: Partial<Adoption> = {}): Adoption => ({
  ...{ objects, providers: [{ package: pkg, name: undefined }], outputs: emptyMap, protect: true },
  ...more,
});
const adopter = (entries: Adopter['entries'] = []): Adopter => ({
  ...{ identity: { organization: 'organization', ...STACK }, entries, newId: () => 'p-1' },
  config: { values: { 'pkg:token': 't', 'other:token': 'u' }, secretKeys: ['pkg:token'] },
});
const add = (objects: readonly AdoptedObject[], more: Partial<Adoption> = {}, has: Adopter['entries'] = []) =>
  adoptedEntries(adoption(objects, more), adopter(has));

describe('objects that are adopted [TFF-5]', () => {
  test('become protected resources below the root, with their provider and its settings', () => {
    const { added, urns } = add([object('a', { dependencies: ['thing.b', 'thing.gone'] }), object('b')], {
      outputs: propertyMap({ x: 1 }),
    });
    expect(urns).toEqual([thing('a'), thing('b')]);
    const [root, provider, a, b] = added;
    expect(root).toMatchObject({ urn: ROOT, custom: false, outputs: { x: 1 } });
    const internal = { name: 'base', version: '0.1.0', parameterization: 'e30=' };
    expect(provider).toMatchObject({
      urn: PROVIDER,
      id: 'p-1',
      outputs: { token: secret('t'), version: '1.2.3' },
    });
    expect(provider?.inputs).toEqual(
      propertyMap({ token: secret('t'), version: '1.2.3', __internal: internal }),
    );
    expect(a).toMatchObject({
      parent: ROOT,
      protect: true,
      taint: false,
      delete: false,
      dependencies: [thing('b')],
    });
    expect(b).toMatchObject({ id: 'id-b', provider: makeProviderReference(PROVIDER, 'p-1') });
  });

  test('that are tainted or deposed are to be replaced or deleted', () => {
    const old = object('a', { deposed: true, id: 'old', dependencies: ['thing.b'], tainted: true });
    const { added } = add([object('a', { tainted: true }), old, object('b')]);
    const [a, gone] = added.filter(({ urn }) => urn === thing('a'));
    expect(a).toMatchObject({ taint: true, delete: false, protect: true });
    expect(gone).toMatchObject({ taint: false, delete: true, protect: false, dependencies: [], id: 'old' });
  });

  test('of another configuration have a provider by its name, whose settings nobody knows', () => {
    const { added } = add([object('a')], { providers: [{ package: pkg, name: 'pkg.two' }] });
    expect(added[1]).toMatchObject({
      urn: urnOf('pulumi:providers:pkg', 'pkg.two'),
      outputs: { version: '1.2.3' },
    });
    expect(added[1]?.inputs).not.toHaveProperty('token');
  });

  const root = resourceEntry({ urn: ROOT, type: 'pulumi:pulumi:Stack', custom: false });
  const provider = resourceEntry({ urn: PROVIDER, type: 'pulumi:providers:pkg', custom: true, id: 'p-0' });

  test('use the root and the provider that the stack has', () => {
    const { added, entries } = add([object('a')], {}, [root, provider]);
    expect(added.map(({ urn }) => urn)).toEqual([thing('a')]);
    expect(added[0]?.provider).toBe(makeProviderReference(PROVIDER, 'p-0'));
    expect(entries.map(({ urn }) => urn)).toEqual([PROVIDER, thing('a')]);
  });

  test('add nothing when the stack has every one of them', () => {
    const objects = [object('a'), object('b')];
    const first = add(objects, {}, [root, provider]);
    const again = add(objects, {}, [root, provider, ...first.added]);
    expect(again).toEqual({ added: [], entries: first.entries, urns: first.urns });
  });

  test.each<[string, readonly AdoptedObject[], readonly string[], readonly string[]]>([
    [
      'some of them are there',
      [object('a'), object('b')],
      ['a'],
      ['the stack already has a resource for thing.a'],
    ],
    [
      'one has another id',
      [object('a', { id: 'x' })],
      ['a'],
      ['the stack already has a resource for thing.a'],
    ],
    [
      'two would be one',
      [object('a'), object('a', { address: 'other.a' })],
      [],
      ['other.a and thing.a would be one resource'],
    ],
  ])('are refused when %s', (_what, objects, there, expected) => {
    const has = add(there.map((name) => object(name))).added;
    let refusals: readonly string[] = [];
    try {
      add(objects, {}, has);
    } catch (error) {
      if (!isCairnError(error)) throw error;
      refusals = error.diagnostics.map(({ code, summary }) => `${code} ${summary}`);
    }
    expect(refusals).toEqual(expected.map((each) => `CAIRN-TERRAFORM-STATE ${each}`));
  });
});
