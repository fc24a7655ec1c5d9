import { importItem } from '../../program/requests.js';
import type { CutScenario } from '../cut-scenario.js';
import { OTHER, TYPE, atOnce, box, inOrder, line, onProvider, using } from './words.js';

const ONE = { a: { update: 1 }, b: { update: 1 }, c: { update: 1 } };
const TWO = { a: { update: 2 }, b: { update: 2 }, c: { update: 2 } };

/** Targets, excludes, refreshes, imports, refused goals, and operations that do everything at once. */
export const LIMITED: readonly CutScenario[] = [
  {
    title: 'only a target is altered',
    before: [atOnce(['a', { update: 1 }], ['b', { update: 1 }])],
    program: atOnce(['a', { update: 2 }], ['b', { update: 2 }]),
    scope: { targets: ['**::a'] },
  },
  {
    title: 'a target and what depends on it',
    before: [line(['a', 'b', 'c'], ONE)],
    program: line(['a', 'b', 'c'], TWO),
    scope: { targets: ['**::b'], targetDependents: true },
  },
  {
    title: 'targets that are new and targets that go',
    before: [inOrder(['a', { update: 1 }], ['old', {}], ['older', {}])],
    program: inOrder(['a', { update: 2 }], ['new', {}]),
    scope: { targets: ['**::new', '**::old'] },
  },
  {
    title: 'all but one',
    before: [atOnce(['a', { update: 1 }], ['b', { update: 1 }])],
    program: atOnce(['a', { update: 2 }], ['b', { update: 2 }], ['c', {}]),
    scope: { excludes: ['**::b'] },
  },
  {
    title: 'a target is replaced',
    before: [line(['a', 'b'], { a: { replace: 1 } })],
    program: line(['a', 'b'], { a: { replace: 2 } }),
    scope: { targets: ['**::a'], targetDependents: true },
  },
  {
    title: 'a refresh finds changes',
    kind: 'refresh',
    before: [line(['a', 'b', 'c'])],
    drifted: ['a', 'c'],
    stays: ['a', 'c'],
  },
  {
    title: 'a refresh finds that one is gone',
    kind: 'refresh',
    before: [line(['a', 'b', 'c'])],
    vanished: ['c'],
    stays: ['c'],
  },
  {
    title: 'a refresh of a target',
    kind: 'refresh',
    before: [line(['a', 'b'])],
    drifted: ['a', 'b'],
    scope: { targets: ['**::a'] },
    stays: ['a'],
  },
  {
    title: 'a refresh with the program',
    kind: 'refresh',
    runProgram: true,
    before: [line(['a', 'b'])],
    program: line(['a', 'b']),
    drifted: ['b'],
    stays: ['b'],
  },
  {
    title: 'a read fails in a refresh',
    kind: 'refresh',
    before: [inOrder(['a', {}], ['b', {}])],
    drifted: ['a', 'b'],
    scripts: { b: { read: 'fail' } },
    stays: ['a', 'b'],
  },
  {
    title: 'an up that looks first',
    before: [line(['a', 'b'], ONE)],
    program: line(['a', 'b', 'c'], TWO),
    drifted: ['a'],
    scope: { refresh: true },
    stays: ['a'],
  },
  {
    title: 'an up that looks first and finds one gone',
    before: [atOnce(['a', { update: 1 }], ['b', { update: 1 }])],
    program: atOnce(['a', { update: 2 }], ['b', { update: 1 }]),
    vanished: ['b'],
    scope: { refresh: true },
    stays: ['b'],
  },
  {
    title: 'objects are taken over by a list',
    kind: 'import',
    before: [inOrder(['a', {}])],
    outside: {
      'there-1': { name: 'one', inputs: { update: 1 } },
      'there-2': { name: 'two', inputs: { update: 2 } },
    },
    imports: [
      importItem({ type: TYPE, name: 'one', id: 'there-1' }),
      importItem({ type: TYPE, name: 'two', id: 'there-2' }),
    ],
  },
  {
    title: 'one object of a list is not there',
    kind: 'import',
    outside: { 'there-1': { name: 'one', inputs: { update: 1 } } },
    imports: [
      importItem({ type: TYPE, name: 'one', id: 'there-1' }),
      importItem({ type: TYPE, name: 'two', id: 'there-9' }),
    ],
  },
  {
    title: 'a goal is refused',
    before: [line(['a', 'b'], ONE)],
    program: line(['a', 'b', 'c'], TWO),
    scripts: { b: { check: 'refuse' } },
  },
  {
    title: 'a comparison fails',
    before: [line(['a', 'b'], ONE)],
    program: line(['a', 'b', 'c'], TWO),
    scripts: { b: { diff: 'fail' } },
  },
  {
    title: 'the program fails in the middle',
    before: [inOrder(['a', { update: 1 }], ['old', {}])],
    program: async (context) => {
      await inOrder(['a', { update: 2 }], ['b', {}])(context);
      throw new Error('the program gives up');
    },
  },
  {
    title: 'everything at once',
    before: [
      async (context) => {
        const a = await context.resource(TYPE, 'a', { update: 1 });
        await using(context, 'b', 'from', a, { replace: 1 });
        await context.resource(OTHER, 'c', { swap: 1 });
        await context.resource(TYPE, 'd');
        await box(context, 'outer', { e: { update: 1 }, f: {} });
        return { a: a.id };
      },
    ],
    program: async (context) => {
      const a = await context.resource(TYPE, 'a', { update: 2 });
      const b = await using(context, 'b', 'from', a, { replace: 2 });
      await context.resource(OTHER, 'c', { swap: 2 });
      await box(context, 'outer', { e: { update: 2 }, g: {} });
      await using(context, 'h', 'from', b);
      return { a: a.id, b: b.id };
    },
  },
  {
    title: 'everything at once, and the last one fails',
    before: [
      async (context) => {
        const a = await context.resource(TYPE, 'a', { update: 1 });
        await using(context, 'b', 'from', a, { replace: 1 });
        await context.resource(OTHER, 'c', { swap: 1 });
        await context.resource(TYPE, 'd');
        await box(context, 'outer', { e: { update: 1 }, f: {} });
      },
    ],
    program: async (context) => {
      const a = await context.resource(TYPE, 'a', { update: 2 });
      const b = await using(context, 'b', 'from', a, { replace: 2 });
      await context.resource(OTHER, 'c', { swap: 2 });
      await box(context, 'outer', { e: { update: 2 }, g: {} });
      await using(context, 'h', 'from', b, { broken: 'fail' });
    },
  },
  {
    title: 'a provider, a line on it and a component, all new',
    program: async (context) => {
      await onProvider('mine', { region: 'north' }, { a: {}, b: {} })(context);
      await line(['c', 'd', 'e'])(context);
      await box(context, 'outer', { f: {}, g: {} });
      return { done: true };
    },
  },
];
