import { makeProviderReference, makeUrn, urnName } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { LiveState } from '../record/live-state.js';
import { selectRefreshes } from './refresh-selection.js';
import { scopeFacts } from './scope.js';

const typeOf = (name: string) => (name === 'a' ? 'pulumi:providers:pkg' : 'pkg:m:T');
const urn = (name: string) =>
  makeUrn({ project: 'p', stack: 's', parent: undefined, type: typeOf(name), name });
const entry = (name: string, rest: Partial<ResourceEntry> = {}) =>
  resourceEntry({ urn: urn(name), type: typeOf(name), custom: true, id: name, ...rest });

/**
 * Each entry depends on the provider `a` in one way, and `deep` on another of them. Two ask to be looked up before
 * every update.
 */
const cells = new LiveState([
  entry('a'),
  entry('parent', { parent: urn('a') }),
  entry('dependency', { dependencies: [urn('a')], refreshBeforeUpdate: true }),
  entry('property', { propertyDependencies: { x: [urn('a')] } }),
  entry('deleted', { deletedWith: urn('a') }),
  entry('replaced', { replaceWith: [urn('a')] }),
  entry('provider', { provider: makeProviderReference(urn('a'), 'a') }),
  entry('view', { parent: urn('a'), viewOf: urn('a') }),
  entry('deep', { dependencies: [urn('property')], refreshBeforeUpdate: true }),
]).base;
const all = ['a', 'parent', 'dependency', 'property', 'deleted', 'replaced', 'provider', 'deep'];
const hanging = all.filter((name) => name !== 'provider');

test.each([
  ['no limit', {}, all],
  ['targets', { targets: [urn('a')] }, ['a']],
  ['globs', { targets: ['**::d*'] }, ['dependency', 'deleted', 'deep']],
  [
    'targets with dependents, transitively, never through a provider',
    { targets: [urn('a')], targetDependents: true },
    hanging,
  ],
  ['excludes', { excludes: [urn('a')] }, all.slice(1)],
  ['excludes with dependents', { excludes: [urn('a')], excludeDependents: true }, ['provider']],
  ['targets win', { targets: [urn('deep')], excludes: [urn('deep')] }, ['deep']],
])('%s', (_title, wanted, expected) => {
  const scope = scopeFacts({ targets: [], targetDependents: false, ...wanted });
  const names = (flaggedOnly: boolean) =>
    selectRefreshes(cells, scope, flaggedOnly).map((cell) => urnName(cell.entry.urn));
  expect(names(false)).toEqual(expected);
  expect(names(true)).toEqual(expected.filter((name) => ['dependency', 'deep'].includes(name)));
});
