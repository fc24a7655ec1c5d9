// One case for each option of a resource, and for combinations of options.
import { destroy, preview, refresh, run, test, thing, up, urn } from './steps.mjs';

export default [
  test(
    'parent',
    up(
      `const g = new Group('g'); new Thing('a', { label: 'x' }, { parent: g }); g.registerOutputs({ done: true });`,
    ),
    preview(
      `const g = new Group('g'); const h = new Group('h', {}, { parent: g }); new Thing('a', { label: 'y' }, { parent: h });`,
    ),
    up(undefined),
    destroy(),
  ),
  test(
    'depends-on',
    up(
      `const a = new Thing('a', { label: 'x' }); const b = new Thing('b', { label: a.computed }, { dependsOn: a }); new Thing('c', {}, { dependsOn: [b] });`,
    ),
    up(
      `const a = new Thing('a', { label: 'z' }); const b = new Thing('b', { label: a.computed }); new Thing('c', {}, { dependsOn: [a, b] });`,
    ),
    preview(undefined, ['--show-sames']),
    destroy(),
  ),
  test(
    'protect',
    up(`new Thing('a', { label: 'x', fixed: 1 }, { protect: true });`),
    preview(`new Thing('a', { label: 'x', fixed: 2 }, { protect: true });`),
    up(undefined),
    preview(''),
    up(''),
    destroy(),
    run('state', 'unprotect', '--yes', thing('a')),
    up(''),
  ),
  test(
    'unprotect-by-program',
    up(`new Thing('a', { label: 'x' }, { protect: true });`),
    preview(`new Thing('a', { label: 'x' }, { protect: false });`),
    up(undefined),
    destroy(),
  ),
  test(
    'ignore-changes',
    up(`new Thing('a', { label: 'x', size: 1, tags: { one: 1, two: 2 }, list: [1, 2] });`),
    preview(
      `new Thing('a', { label: 'y', size: 2, tags: { one: 3, two: 4 }, list: [3, 4] }, { ignoreChanges: ['label', 'tags.one', 'list[0]'] });`,
    ),
    up(undefined),
    up(`new Thing('a', { label: 'z', size: 3 }, { ignoreChanges: ['label', 'tags'] });`),
  ),
  test(
    'delete-before-replace',
    up(
      `const a = new Thing('a', { fixed: 1, label: 'x' }, { deleteBeforeReplace: true }); new Thing('b', { label: a.computed, fixed: a.id });`,
    ),
    preview(
      `const a = new Thing('a', { fixed: 2, label: 'y' }, { deleteBeforeReplace: true }); new Thing('b', { label: a.computed, fixed: a.id });`,
    ),
    up(undefined),
  ),
  test(
    'retain-on-delete',
    up(
      `new Thing('a', { fixed: 1 }, { retainOnDelete: true }); new Thing('b', {}, { retainOnDelete: true });`,
    ),
    up(`new Thing('a', { fixed: 2 }, { retainOnDelete: true });`),
    destroy(),
  ),
  test(
    'deleted-with',
    up(
      `const a = new Thing('a', {}); new Thing('b', {}, { deletedWith: a }); new Thing('c', { fixed: 1 }, { deletedWith: a });`,
    ),
    up(`const a = new Thing('a', {}); new Thing('c', { fixed: 2 }, { deletedWith: a });`),
    destroy(),
  ),
  test(
    'replace-on-changes',
    up(
      `new Thing('a', { label: 'x', tags: { one: 1 } }, { replaceOnChanges: ['label', 'tags.one'] }); new Detailed('d', { label: 'x' }, { replaceOnChanges: ['*'] });`,
    ),
    preview(
      `new Thing('a', { label: 'y', tags: { one: 1 } }, { replaceOnChanges: ['label', 'tags.one'] }); new Detailed('d', { label: 'y' }, { replaceOnChanges: ['*'] });`,
    ),
    up(undefined),
  ),
  test(
    'additional-secret-outputs',
    up(
      `const a = new Thing('a', { label: 'x', size: 1 }, { additionalSecretOutputs: ['computed', 'none'] }); exports.computed = a.computed;`,
    ),
    run('stack', 'output', '--json'),
    run('stack', 'output', '--json', '--show-secrets'),
    up(`const a = new Thing('a', { label: 'x', size: 1 }); exports.computed = a.computed;`),
  ),
  test(
    'aliases',
    up(`new Thing('old', { label: 'x' }); const g = new Group('og'); new Thing('child', {}, { parent: g });`),
    preview(
      `new Thing('new', { label: 'x' }, { aliases: [{ name: 'old' }] }); const g = new Group('ng', {}, { aliases: [{ name: 'og' }] }); new Thing('child', {}, { parent: g });`,
    ),
    up(undefined),
    up(
      `const g = new Group('ng', {}, { aliases: ['${urn('shop:index:Group', 'og')}'] }); new Thing('new', { label: 'y' }, { parent: g, aliases: [{ parent: pulumi.rootStackResource }, { name: 'old', parent: pulumi.rootStackResource }] }); new Thing('child', {}, { aliases: [{ parent: g }] });`,
    ),
  ),
  test(
    'custom-timeouts',
    up(
      `new Thing('a', { label: 'x' }, { customTimeouts: { create: '5m', update: '1h30m', delete: '10s' } });`,
    ),
    up(`new Thing('a', { label: 'y' }, { customTimeouts: { update: '20m' } });`),
    destroy(),
  ),
  test(
    'import-option',
    up(`new Thing('a', { label: 'x', size: 2 }, { import: 'there' });`, [], {
      world: { there: { inputs: { label: 'x', size: 2 }, outputs: { label: 'x', size: 2, computed: 'c' } } },
    }),
    up(`new Thing('a', { label: 'y', size: 2 }, { import: 'there' });`),
    preview(`new Thing('a', { label: 'y' }, { import: 'elsewhere' });`, [], {
      world: { elsewhere: { inputs: { label: 'y' }, outputs: { label: 'y' } } },
    }),
    up(undefined),
  ),
  test(
    'import-refused',
    up(`new Thing('a', { label: 'x' }, { import: 'there' });`, [], {
      world: { there: { inputs: { label: 'other' }, outputs: { label: 'other' } } },
    }),
    up(`new Thing('a', { label: 'x' }, { import: 'gone' });`, [], { world: { gone: null } }),
  ),
  test(
    'hide-diffs',
    up(`new Detailed('a', { label: 'x', tags: { one: 1 } }, { hideDiffs: ['label', 'tags["a.b"].c'] });`),
    preview(
      `new Detailed('a', { label: 'y', tags: { one: 2 } }, { hideDiffs: ['label', 'tags["a.b"].c'] });`,
    ),
    up(undefined),
  ),
  test(
    'replace-with',
    up(`const a = new Thing('a', { fixed: 1 }); new Thing('b', {}, { replaceWith: [a] });`),
    preview(`const a = new Thing('a', { fixed: 2 }); new Thing('b', {}, { replaceWith: [a] });`),
    up(undefined),
  ),
  test(
    'replacement-trigger',
    up(`new Thing('a', { label: 'x' }, { replacementTrigger: 'one' });`),
    preview(`new Thing('a', { label: 'x' }, { replacementTrigger: 'two' });`),
    up(undefined),
    up(`new Thing('a', { label: 'x' });`),
  ),
  test(
    'provider-option',
    up(
      `const p = new Provider('p', { region: 'north', key: pulumi.secret('hush') }); new Thing('a', { label: 'x' }, { provider: p }); const g = new Group('g', {}, { providers: [p] }); new Thing('b', {}, { parent: g });`,
    ),
    up(
      `const p = new Provider('p', { region: 'north', key: pulumi.secret('hush!') }); new Thing('a', { label: 'x' }, { provider: p }); const g = new Group('g', {}, { providers: [p] }); new Thing('b', {}, { parent: g });`,
    ),
    preview(
      `const p = new Provider('p', { region: 'south', key: pulumi.secret('hush!') }); new Thing('a', { label: 'x' }, { provider: p });`,
    ),
    up(undefined),
    destroy(),
  ),
  test(
    'provider-version',
    up(
      `new Thing('a', { label: 'x' }, { version: '1.2.3' }); new Thing('b', {}, { version: '1.2.3', pluginDownloadURL: 'https://example.com/plugins' });`,
    ),
    refresh(),
  ),
  test(
    'transformations',
    up(`new Thing('a', { label: 'x' }, { transforms: [({ props, opts }) => ({ props: { ...props, size: 7 }, opts: { ...opts, protect: true } })] });
new Thing('b', { label: 'x' }, { transformations: [({ props, opts }) => ({ props: { ...props, size: 8 }, opts })] });`),
    up(`new Thing('a', { label: 'x' }); new Thing('b', { label: 'x' });`),
  ),
];
