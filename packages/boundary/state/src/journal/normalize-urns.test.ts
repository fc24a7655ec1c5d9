import { failureOf } from '../../test/failure-of.js';
import { normalizeUrns } from './normalize-urns.js';
import { emptyDeployment } from '../document/serialized.js';
import type { SerializedResource } from '../document/serialized.js';

const urn = (name: string, type = 'a:b:C'): string => `urn:pulumi:dev::p::${type}::${name}`;
const ROOT = urn('p-dev', 'pulumi:pulumi:Stack');
const resource = (name: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  urn: urn(name),
  custom: true,
  type: 'a:b:C',
  ...more,
});

test('a state without aliases is handed back as it is', () => {
  const deployment = { ...emptyDeployment, resources: [resource('a')] };
  expect(normalizeUrns(deployment)).toBe(deployment);
});

test('what is pending loses its aliases too, and they rename nothing', () => {
  const pending = (aliases?: readonly string[]) => ({
    type: 'updating' as const,
    resource: resource('now', aliases === undefined ? {} : { aliases }),
  });
  const resources = [resource('old'), resource('user', { dependencies: [urn('old')] })];
  const deployment = { ...emptyDeployment, resources, pendingOperations: [pending([urn('old')])] };
  expect(normalizeUrns(deployment)).toEqual({
    ...emptyDeployment,
    resources,
    pendingOperations: [pending()],
  });
});

test('an alias is replaced wherever it is referred to, in operations and snippets too', () => {
  const old = urn('old');
  const now = urn('now');
  const oldProvider = urn('old', 'pulumi:providers:a');
  const newProvider = urn('now', 'pulumi:providers:a');
  const user = resource('user', {
    parent: old,
    deletedWith: old,
    viewOf: old,
    dependencies: [old, urn('other')],
    replaceWith: [old],
    provider: `${oldProvider}::1`,
    propertyDependencies: { k: [old], l: null },
  });
  const result = normalizeUrns({
    ...emptyDeployment,
    resources: [
      resource('x', { urn: newProvider, type: 'pulumi:providers:a', aliases: [oldProvider] }),
      resource('now', { aliases: [old] }),
      user,
    ],
    pendingOperations: [{ type: 'updating', resource: resource('old') }],
    snippets: [{ uuid: 'u', name: '', type: '', code: '', descriptor: {}, references: { r: old } }],
  });
  expect(result.resources[1]).toEqual(resource('now'));
  expect(result.resources[2]).toEqual(
    resource('user', {
      urn: urn('user', 'a:b:C$a:b:C'),
      parent: now,
      deletedWith: now,
      viewOf: now,
      dependencies: [now, urn('other')],
      replaceWith: [now],
      provider: `${newProvider}::1`,
      propertyDependencies: { k: [now], l: null },
    }),
  );
  expect(result.pendingOperations[0]?.resource.urn).toBe(now);
  expect(result.snippets[0]?.references).toEqual({ r: now });
});

test('children of a renamed parent are renamed with it, and so on down; the root stack is no link of the chain', () => {
  const parent = urn('new', 'x:y:New');
  const chain = [
    resource('new', { urn: parent, type: 'x:y:New', aliases: [urn('old', 'x:y:Old')] }),
    resource('c', { urn: urn('c', 'x:y:Old$a:b:C'), parent: urn('old', 'x:y:Old') }),
    resource('d', { urn: urn('d', 'x:y:Old$a:b:C$a:b:C'), parent: urn('c', 'x:y:Old$a:b:C') }),
  ];
  const urns = normalizeUrns({ ...emptyDeployment, resources: chain }).resources.map((item) => item.urn);
  expect(urns).toEqual([parent, urn('c', 'x:y:New$a:b:C'), urn('d', 'x:y:New$a:b:C$a:b:C')]);
  const underRoot = [
    resource('r', { urn: ROOT, type: 'pulumi:pulumi:Stack', aliases: [urn('o', 'pulumi:pulumi:Stack')] }),
    resource('c', { parent: urn('o', 'pulumi:pulumi:Stack') }),
  ];
  expect(normalizeUrns({ ...emptyDeployment, resources: underRoot }).resources[1]).toEqual(
    resource('c', { parent: ROOT }),
  );
});

test('two resources with one alias are an error that names both', () => {
  const resources = [resource('a', { aliases: [urn('old')] }), resource('b', { aliases: [urn('old')] })];
  const failure = failureOf(() => normalizeUrns({ ...emptyDeployment, resources }));
  expect(failure).toMatchObject({
    code: 'CAIRN-STATE-INTEGRITY',
    summary: `two resources claim the alias ${urn('old')}: ${urn('a')} and ${urn('b')}`,
  });
});
