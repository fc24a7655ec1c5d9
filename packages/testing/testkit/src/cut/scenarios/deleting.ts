import { hooksOf } from '../../program/program-callbacks.js';
import type { CutScenario } from '../cut-scenario.js';
import { REMOTE, TYPE, atOnce, box, inOrder, line, nothing, onProvider, using } from './words.js';

/** Deleted objects: dropped by the program, or with the whole stack. */
export const DELETING: readonly CutScenario[] = [
  {
    title: 'one is dropped',
    before: [inOrder(['a', {}], ['b', { update: 1 }])],
    program: inOrder(['a', {}]),
  },
  { title: 'a line is dropped', before: [line(['a', 'b', 'c', 'd'])], program: line(['a']) },
  {
    title: 'four are dropped at once',
    before: [atOnce(['a', {}], ['b', {}], ['c', {}], ['d', {}], ['e', {}])],
    program: inOrder(['e', {}]),
  },
  {
    title: 'one cannot be deleted',
    before: [line(['a', 'b', 'c'])],
    program: nothing,
    scripts: { b: { delete: 'fail' } },
  },
  {
    title: 'the answer to a delete is lost',
    before: [line(['a', 'b'])],
    program: line(['a']),
    scripts: { b: { delete: 'lost' } },
  },
  {
    title: 'a protected one may not be dropped',
    before: [inOrder(['a', { update: 1 }], ['b', {}, { protect: true }])],
    program: inOrder(['a', { update: 2 }]),
  },
  {
    title: 'a dropped one is kept',
    before: [inOrder(['a', {}], ['kept', { update: 1 }, { retainOnDelete: true }])],
    program: inOrder(['a', {}]),
    retains: ['kept'],
    stays: ['kept'],
  },
  {
    title: 'what is inside goes with it',
    before: [
      async (context) => {
        const a = await context.resource(TYPE, 'a');
        await using(context, 'in', 'inside', a, {}, { deletedWith: a.urn });
        await context.resource(TYPE, 'c');
      },
    ],
    program: inOrder(['c', {}]),
    stays: ['in'],
  },
  {
    title: 'what is around another one cannot be deleted',
    kind: 'destroy',
    policy: { onError: 'rollback' },
    before: [
      async (context) => {
        const a = await context.resource(TYPE, 'a');
        await using(context, 'in', 'inside', a, {}, { deletedWith: a.urn });
      },
    ],
    scripts: { a: { delete: 'fail' } },
  },
  {
    title: 'hooks around a delete',
    before: [
      async ({ hook, resource }) => {
        await hook('before', () => undefined);
        await hook('after', () => undefined);
        const hooks = hooksOf({ beforeDelete: ['before'], afterDelete: ['after'] });
        await resource(TYPE, 'a', {}, { hooks });
        await resource(TYPE, 'b', {}, { hooks });
      },
    ],
    program: async ({ hook }) => {
      await hook('before', () => undefined);
      await hook('after', () => undefined);
    },
  },
  {
    title: 'a component is dropped',
    before: [
      async (context) => {
        const outer = await box(context, 'outer', { a: {}, b: {} });
        await box(context, 'inner', { c: {} }, { parent: outer.urn });
      },
    ],
    program: inOrder(['d', {}]),
  },
  {
    title: 'a component of a provider is dropped',
    before: [
      async ({ resource }) =>
        void (await resource(REMOTE, 'box', { first: 1, second: 1 }, { custom: false, remote: true })),
    ],
    program: inOrder(['d', {}]),
  },
  {
    title: 'a provider is dropped with its resources',
    before: [onProvider('mine', { region: 'north' }, { a: {}, b: {} })],
    program: inOrder(['c', {}]),
  },
  { title: 'everything is destroyed', kind: 'destroy', before: [line(['a', 'b', 'c'])] },
  {
    title: 'a stack of many kinds is destroyed',
    kind: 'destroy',
    before: [
      async (context) => {
        await onProvider('mine', { region: 'north' }, { a: {}, b: {} })(context);
        await box(context, 'outer', { c: {}, d: {} });
        return { size: 1 };
      },
    ],
  },
  {
    title: 'one cannot be destroyed',
    kind: 'destroy',
    before: [line(['a', 'b', 'c'])],
    scripts: { b: { delete: 'fail' } },
  },
  {
    title: 'one cannot be destroyed, the others go on',
    kind: 'destroy',
    policy: { continueOnError: true, onError: 'continue' },
    before: [atOnce(['a', {}], ['b', {}], ['c', {}])],
    scripts: { b: { delete: 'fail' } },
  },
  {
    title: 'a protected one is not destroyed',
    kind: 'destroy',
    before: [inOrder(['a', {}], ['b', {}, { protect: true }])],
  },
  {
    title: 'only some are destroyed',
    kind: 'destroy',
    before: [line(['a', 'b', 'c'])],
    scope: { targets: ['**::b'], targetDependents: true },
  },
  {
    title: 'all but some are destroyed',
    kind: 'destroy',
    before: [atOnce(['a', {}], ['b', {}], ['c', {}])],
    scope: { excludes: ['**::b'] },
  },
  {
    title: 'destroyed with the program at hand',
    kind: 'destroy',
    runProgram: true,
    before: [line(['a', 'b'])],
    program: line(['a', 'b']),
  },
  {
    title: 'destroyed after a look at what is there',
    kind: 'destroy',
    before: [line(['a', 'b', 'c'])],
    vanished: ['c'],
    scope: { refresh: true },
    stays: ['c'],
  },
];
