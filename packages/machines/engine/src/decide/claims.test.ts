import { joinUrn, makeProviderReference, providerType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry, ResourceEntrySpec } from '@cairn/state';
import { claimsOf } from './claims.js';

const urn = (name: string): Urn => joinUrn('dev', 'shop', 'test:index:Thing', name);
const provider = joinUrn('dev', 'shop', providerType('test'), 'p');
const PROVIDER = resourceEntry({ urn: provider, type: providerType('test'), custom: true, id: 'p1' });

function entry(name: string, more: Partial<ResourceEntrySpec> = {}): ResourceEntry {
  return resourceEntry({
    urn: urn(name),
    type: 'test:index:Thing',
    custom: true,
    id: name,
    provider: makeProviderReference(provider, 'p1'),
    ...more,
  });
}

const entries = [
  PROVIDER,
  entry('net'),
  entry('disk'),
  entry('host', { dependencies: [urn('net')], propertyDependencies: { disk: [urn('disk')] } }),
  entry('dns', { dependencies: [urn('host')] }),
  entry('view', { viewOf: urn('host') }),
  entry('other', { parent: urn('net') }),
];

test.each<readonly [string, readonly string[], boolean, string]>([
  ['a resource and what it refers to', [urn('dns')], false, 'dns | host p'],
  ['its views are its own', [urn('host')], false, 'host view | disk net p'],
  [
    'dependents when they are asked for, over several steps',
    [urn('net')],
    true,
    'dns host net other view | disk p',
  ],
  ['several targets that refer to each other', [urn('host'), urn('net')], false, 'host net view | disk p'],
  ['a glob', [`${urn('d')}*`], false, 'disk dns | host p'],
  ['one that exists beside one that does not', [urn('disk'), urn('new')], false, 'disk | p'],
  ['a provider is held against all that use it', [provider], false, 'p | '],
])('%s', (_title, targets, targetDependents, expected) => {
  const claims = claimsOf({ targets, targetDependents }, entries) ?? [];
  const names = (mode: string): string =>
    claims
      .filter((claim) => claim.mode === mode)
      .map(({ key }) => key.split('::').at(-1))
      .sort()
      .join(' ');
  expect(`${names('exclusive')} | ${names('shared')}`).toBe(expected);
});

test.each([
  ['nothing is named', []],
  ['nothing that exists is named', [urn('new')]],
])('everything is claimed when %s', (_title, targets) => {
  expect(claimsOf({ targets, targetDependents: false }, entries)).toBeUndefined();
});
