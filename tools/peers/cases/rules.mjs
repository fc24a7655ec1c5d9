// Dependents of something that is gone, is out of scope or must not exist twice; reads of nothing; records of
// providers.
import { destroy, preview, program, refresh, run, test, thing, up } from './steps.mjs';

/** Resources that the provider names on request, and resources with a view. */
const NAMED = `class Named extends pulumi.CustomResource { constructor(name, props, opts) { super('probe:index:Named', name, { label: undefined, ...props }, opts); } }`;
const VIEWED = `class Viewed extends pulumi.CustomResource { constructor(name, props, opts) { super('probe:index:Viewed', name, props, opts); } }`;

const PAIR = `const a = new Thing('a', { label: 'x' }); new Thing('b', { label: a.computed });`;
const replaced = (fixed, more) =>
  `const a = new Thing('a', { fixed: ${fixed}, failDelete: true, label: 'x' }); ${more}`;

export default [
  test(
    'run-program-vanished',
    up(`${PAIR} new Thing('c', {});`),
    refresh(['--run-program'], { world: { 'a-0-0': null, 'b-0-0': { outputs: { size: 5 } } } }),
    up(`${PAIR} new Thing('c', {});`, [], { world: {} }),
  ),
  test(
    'run-program-skipped',
    up(`new Thing('b', { label: 'y' });`),
    refresh(['--run-program'], {
      files: program(PAIR),
      world: { 'b-0-0': { outputs: { size: 5 } } },
    }),
  ),
  test(
    'renamed-beside-pending-delete',
    up(replaced(1, `new Thing('b', { label: a.computed }); new Thing('c', {});`)),
    up(replaced(2, `new Thing('b', { label: a.computed }); new Thing('c', {});`)),
    refresh(['--target', thing('a')], { world: { 'a-2-0': null } }),
    up(`new Thing('other', { label: 'x' }, { aliases: [{ name: 'b' }] }); new Thing('c', { label: 'z' });`, [
      '--target',
      thing('c'),
    ]),
    preview(undefined, ['--target', thing('c')]),
  ),
  test(
    'names-verbatim',
    run('config', 'set', '--path', 'pulumi:autonaming.mode', 'verbatim'),
    up(`${NAMED} new Named('a', { fixed: 1 }); new Named('own', { label: 'own', fixed: 1 });`),
    preview(`${NAMED} new Named('a', { fixed: 2 }); new Named('own', { label: 'own', fixed: 2 });`),
    up(undefined),
    destroy(),
  ),
  test(
    'names-by-pattern',
    run('config', 'set', '--path', 'pulumi:autonaming.pattern', 'x-${name}'),
    up(`${NAMED} new Named('a', { fixed: 1 }, { deleteBeforeReplace: false });`),
    up(`${NAMED} new Named('a', { fixed: 2 }, { deleteBeforeReplace: false });`),
  ),
  test(
    'names-verbatim-provider',
    run('config', 'set', '--path', 'pulumi:autonaming.mode', 'verbatim'),
    up(`${NAMED} const p = new Provider('p', { region: 'one' }); new Named('a', {}, { provider: p });`),
    preview(`${NAMED} const p = new Provider('p', { region: 'two' }); new Named('a', {}, { provider: p });`),
    up(undefined),
    destroy(),
  ),
  test('read-of-no-id', up(`new Thing('a', {}, { id: pulumi.output('') });`)),
  test(
    'views',
    up(`${VIEWED} new Viewed('a', { size: 1 });`),
    up(`${VIEWED} new Viewed('a', { size: 2 });`),
    up(`${VIEWED} new Viewed('a', { size: 3, failPart: 'cannot go' });`),
  ),
  test(
    'view-delete-fails',
    up(`${VIEWED} new Viewed('a', { size: 1, failPart: 'cannot go', failDelete: true });`),
    destroy(),
  ),
];
