import type { ProgramFunction } from '../../program/program-of.js';
import type { CutScenario } from '../cut-scenario.js';
import { TYPE, atOnce, both, box, inOrder, line, onProvider, using } from './words.js';

const FIRST = { deleteBeforeReplace: true } as const;

/** Declares a resource that is deleted together with another one. */
function contained(replace: number): ProgramFunction {
  return async (context) => {
    const a = await context.resource(TYPE, 'a');
    await using(context, 'in', 'inside', a, { replace }, { deletedWith: a.urn });
  };
}

/** Replacements in both orders, alone and with dependents. */
export const REPLACING: readonly CutScenario[] = [
  {
    title: 'replaced, create first',
    before: [inOrder(['a', { replace: 1 }])],
    program: inOrder(['a', { replace: 2 }]),
  },
  {
    title: 'replaced, create first; who uses it is altered',
    before: [line(['a', 'b', 'c'], { a: { replace: 1 } })],
    program: line(['a', 'b', 'c'], { a: { replace: 2 } }),
  },
  {
    title: 'replaced, create first; who uses it is replaced',
    before: [line(['a', 'b', 'c'], { a: { replace: 1 } }, {}, 'bound')],
    program: line(['a', 'b', 'c'], { a: { replace: 2 } }, {}, 'bound'),
  },
  {
    title: 'two replaced at once, create first',
    before: [atOnce(['a', { replace: 1 }], ['b', { replace: 1 }], ['c', { update: 1 }])],
    program: atOnce(['a', { replace: 2 }], ['b', { replace: 2 }], ['c', { update: 2 }]),
  },
  {
    title: 'replaced, delete first, because the provider says so',
    before: [inOrder(['a', { swap: 1 }])],
    program: inOrder(['a', { swap: 2 }]),
  },
  {
    title: 'replaced, delete first, because the program says so',
    before: [inOrder(['a', { replace: 1 }, FIRST], ['b', {}])],
    program: inOrder(['a', { replace: 2 }, FIRST], ['b', {}]),
  },
  {
    title: 'replaced, delete first, with a line of users',
    before: [line(['a', 'b', 'c'], { a: { swap: 1 } }, {}, 'bound')],
    program: line(['a', 'b', 'c'], { a: { swap: 2 } }, {}, 'bound'),
  },
  {
    title: 'replaced, delete first; one user is altered',
    before: [line(['a', 'b'], { a: { swap: 1 } })],
    program: line(['a', 'b'], { a: { swap: 2 } }),
  },
  {
    title: 'the new object cannot be made, create first',
    before: [line(['a', 'b'], { a: { replace: 1 } })],
    program: line(['a', 'b'], { a: { replace: 2, broken: 'fail' } }),
  },
  {
    title: 'the new object cannot be made, delete first',
    before: [inOrder(['a', { swap: 1 }], ['b', { update: 1 }])],
    program: inOrder(['a', { swap: 2, broken: 'fail' }], ['b', { update: 2 }]),
  },
  {
    title: 'the new object is not ready, create first',
    before: [line(['a', 'b'], { a: { replace: 1 } })],
    program: line(['a', 'b'], { a: { replace: 2, broken: 'partial' } }),
  },
  {
    title: 'the old object cannot be deleted, create first',
    before: [inOrder(['a', { replace: 1, stuck: true }], ['b', { update: 1 }])],
    program: inOrder(['a', { replace: 2 }], ['b', { update: 2 }]),
  },
  {
    title: 'the old object cannot be deleted, delete first',
    before: [inOrder(['a', { swap: 1, stuck: true }])],
    program: inOrder(['a', { swap: 2 }], ['b', {}]),
  },
  {
    title: 'the answer to the new object is lost',
    before: [inOrder(['a', { replace: 1 }])],
    program: inOrder(['a', { replace: 2, broken: 'lost' }]),
  },
  {
    title: 'replaced together with another one',
    before: [
      async (context) => {
        const a = await context.resource(TYPE, 'a', { replace: 1 });
        await context.resource(TYPE, 'b', { update: 1 }, { replaceWith: [a.urn] });
      },
    ],
    program: async (context) => {
      const a = await context.resource(TYPE, 'a', { replace: 2 });
      await context.resource(TYPE, 'b', { update: 1 }, { replaceWith: [a.urn] });
    },
  },
  {
    title: 'a trigger replaces',
    before: [inOrder(['a', { update: 1 }, { replacementTrigger: 1 }], ['b', {}])],
    program: inOrder(['a', { update: 1 }, { replacementTrigger: 2 }], ['b', {}]),
  },
  {
    title: 'the user asks for a replacement',
    before: [line(['a', 'b'], { a: { update: 1 } })],
    program: line(['a', 'b'], { a: { update: 1 } }),
    scope: { replace: ['**::a'] },
  },
  {
    title: 'a change that replaces because the program says so',
    before: [inOrder(['a', { update: 1 }, { replaceOnChanges: ['update'] }])],
    program: inOrder(['a', { update: 2 }, { replaceOnChanges: ['update'] }]),
  },
  {
    title: 'a protected one may not be replaced',
    before: [inOrder(['a', { update: 1 }], ['b', { replace: 1 }, { protect: true }])],
    program: inOrder(['a', { update: 2 }], ['b', { replace: 2 }, { protect: true }]),
  },
  {
    title: 'replaced, and the old object is kept',
    before: [inOrder(['a', { replace: 1 }, { retainOnDelete: true }])],
    program: inOrder(['a', { replace: 2 }, { retainOnDelete: true }]),
    retains: ['a'],
    stays: ['a'],
  },
  {
    title: 'another provider',
    before: [onProvider('mine', { region: 'north' }, { a: {}, b: {} })],
    program: both(onProvider('yours', { region: 'south' }, { a: {}, b: { update: 1 } })),
  },
  {
    title: 'replaced in a component',
    before: [
      async (context) => {
        await box(context, 'outer', { a: { replace: 1 }, b: { swap: 1 } });
      },
    ],
    program: async (context) => {
      await box(context, 'outer', { a: { replace: 2 }, b: { swap: 2 }, c: {} });
    },
  },
  {
    title: 'what was replaced contains another one',
    before: [
      async (context) => {
        const a = await context.resource(TYPE, 'a', { replace: 1 });
        await using(context, 'in', 'inside', a, {}, { deletedWith: a.urn });
      },
    ],
    program: async (context) => {
      const a = await context.resource(TYPE, 'a', { replace: 2 });
      await using(context, 'in', 'inside', a, {}, { deletedWith: a.urn, replaceOnChanges: ['inside'] });
    },
    stays: ['in'],
  },
  {
    title: 'what would go with its container is replaced while that one stays',
    before: [contained(1)],
    program: contained(2),
  },
];
