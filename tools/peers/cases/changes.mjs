// Changes of resources: replacements in both orders, drift, failures, deletes, targets.
import { destroy, preview, refresh, run, test, thing, up } from './steps.mjs';

const CHAIN = (value) =>
  `const a = new Thing('a', { ${value}, label: 'x' }); const b = new Thing('b', { label: a.computed, fixed: a.id }); new Thing('c', { label: b.computed });`;

export default [
  test(
    'create-first',
    up(CHAIN('fixed: 1')),
    preview(CHAIN('fixed: 2')),
    preview(undefined, ['--show-replacement-steps']),
    up(undefined),
    up(undefined),
    destroy(),
  ),
  test(
    'delete-first',
    up(CHAIN('pinned: 1')),
    preview(CHAIN('pinned: 2')),
    preview(undefined, ['--show-replacement-steps']),
    up(undefined),
    destroy(),
  ),
  test(
    'detailed-diff',
    up(`new Detailed('a', { label: 'x', size: 1, fixed: 1 });`),
    preview(`new Detailed('a', { label: 'y', more: true });`),
    up(`new Detailed('a', { label: 'y', size: 1, fixed: 1 });`),
    up(`new Detailed('a', { label: 'y', fixed: 2 });`),
  ),
  test(
    'drift',
    up(`new Thing('a', { label: 'x', size: 1 }); new Thing('b', { label: 'x' }); new Thing('c', {});`),
    refresh([], { world: { 'a-0-0': { outputs: { size: 5 }, inputs: { size: 5 } }, 'b-0-0': null } }),
    preview(undefined),
    up(undefined),
    refresh(['--preview-only'], { world: {} }),
    destroy(['--preview-only']),
    refresh(['--preview-only', '--yes']),
  ),
  test(
    'refresh-first',
    up(`new Thing('a', { label: 'x', size: 1 }); new Thing('b', { label: 'x' });`),
    preview(undefined, ['--refresh'], {
      world: { 'a-0-0': { outputs: { size: 5 }, inputs: { size: 5 } }, 'b-0-0': null },
    }),
    up(undefined, ['--refresh']),
    destroy(['--refresh'], { world: { 'a-0-0': null } }),
  ),
  test(
    'refresh-fails',
    up(`new Thing('a', { label: 'x' }); new Thing('b', {});`),
    refresh([], { world: { 'a-0-0': { fail: 'no answer' } } }),
    up(undefined, ['--refresh']),
  ),
  test(
    'create-fails',
    up(
      `const a = new Thing('a', { failCreate: 'no room' }); new Thing('b', { label: a.computed }); new Thing('c', {});`,
    ),
    up(`new Thing('a', { label: 'x' });`),
  ),
  test(
    'create-partly',
    up(
      `const a = new Thing('a', { label: 'x', partly: 'half done' }); new Thing('b', { label: a.computed });`,
    ),
    preview(undefined),
    up(`new Thing('a', { label: 'x' });`),
  ),
  test(
    'update-fails',
    up(`new Thing('a', { label: 'x' });`),
    up(`new Thing('a', { label: 'y', failUpdate: 'no' });`),
    up(`new Thing('a', { label: 'y', partly: 'half updated' });`),
    up(`new Thing('a', { label: 'y' });`),
  ),
  test(
    'delete-fails',
    up(`new Thing('a', { failDelete: true });`),
    up(''),
    destroy(),
    run('state', 'delete', '--yes', thing('a')),
  ),
  test('check-fails', preview(`new Thing('a', { reject: 'not this' }); new Thing('b', {});`), up(undefined)),
  test(
    'replace-fails',
    up(CHAIN('fixed: 1')),
    up(`new Thing('a', { fixed: 2, failCreate: 'no' });`),
    up(CHAIN('fixed: 3')),
  ),
  test(
    'delete-of-replaced-fails',
    up(`new Thing('a', { fixed: 1, failDelete: true });`),
    up(`new Thing('a', { fixed: 2 });`),
    up(undefined),
  ),
  test(
    'program-fails',
    up(`new Thing('a', { label: 'x' });`),
    up(
      `new Thing('a', { label: 'y' }); new Thing('b', {}).urn.apply(() => { throw new Error('said: stop'); });`,
    ),
    preview(undefined),
  ),
  test(
    'continue-on-error',
    up(
      `new Thing('a', { failCreate: 'no' }); const c = new Thing('c', {}); new Thing('d', {}, { dependsOn: c });`,
      ['--continue-on-error'],
    ),
    destroy(['--continue-on-error']),
  ),
  test(
    'targets',
    up(CHAIN('fixed: 1')),
    preview(CHAIN('fixed: 2'), ['--target', thing('b')]),
    up(undefined, ['--target', thing('a'), '--target-dependents']),
    destroy(['--target', thing('c')]),
  ),
  test(
    'target-creates',
    up(`new Thing('a', {}); new Thing('b', {});`, ['--target', thing('a')]),
    preview(undefined, ['--exclude', thing('b')]),
    up(undefined, ['--exclude', thing('b')]),
  ),
  test(
    'replace-flag',
    up(CHAIN('fixed: 1')),
    preview(undefined, ['--replace', thing('a')]),
    up(undefined, ['--target-replace', thing('b')]),
  ),
  test(
    'expect-no-changes',
    up(`new Thing('a', { label: 'x' });`),
    up(undefined, ['--expect-no-changes']),
    preview(`new Thing('a', { label: 'y' });`, ['--expect-no-changes']),
    refresh(['--expect-no-changes']),
  ),
  test(
    'taint',
    up(CHAIN('fixed: 1')),
    run('state', 'taint', '--yes', thing('a')),
    preview(undefined),
    up(undefined),
  ),
  test(
    'deletes-in-order',
    up(CHAIN('fixed: 1')),
    preview(`new Thing('a', { fixed: 1, label: 'x' });`),
    up(undefined),
    destroy(),
  ),
];
