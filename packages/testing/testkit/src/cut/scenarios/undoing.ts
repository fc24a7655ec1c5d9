import type { CutScenario } from '../cut-scenario.js';
import { BOX, TYPE, atOnce, box, inOrder, line, nothing, onProvider, using } from './words.js';

const ROLLBACK = { onError: 'rollback' } as const;
const ONE = { a: { update: 1 }, b: { update: 1 }, c: { update: 1 } };

/** Operations that undo their changes after a failure. */
export const UNDOING: readonly CutScenario[] = [
  {
    title: 'undone: the last of a line fails',
    policy: ROLLBACK,
    program: line(['a', 'b', 'c'], { c: { broken: 'fail' } }),
  },
  {
    title: 'undone: one of five fails',
    policy: ROLLBACK,
    program: atOnce(['a', {}], ['b', {}], ['c', { broken: 'fail' }], ['d', {}], ['e', {}]),
  },
  {
    title: 'undone: a new object is not ready',
    policy: ROLLBACK,
    program: line(['a', 'b'], { b: { broken: 'partial' } }),
  },
  {
    title: 'undone: an update fails after others',
    policy: ROLLBACK,
    before: [line(['a', 'b', 'c'], ONE)],
    program: line(['a', 'b', 'c'], {
      a: { update: 2 },
      b: { update: 2 },
      c: { update: 2, broken: 'fail' },
    }),
  },
  {
    title: 'undone: an object is half altered',
    policy: ROLLBACK,
    before: [line(['a', 'b'], ONE)],
    program: line(['a', 'b'], { a: { update: 2 }, b: { update: 2, broken: 'partial' } }),
  },
  {
    title: 'undone: a replacement, create first',
    policy: ROLLBACK,
    before: [line(['a', 'b'], { a: { replace: 1 } })],
    program: line(['a', 'b', 'c'], { a: { replace: 2 }, c: { broken: 'fail' } }),
  },
  {
    title: 'undone: a replacement, delete first',
    policy: ROLLBACK,
    before: [line(['a', 'b'], { a: { swap: 1 } }, {}, 'bound')],
    program: line(['a', 'b', 'c'], { a: { swap: 2 }, c: { broken: 'fail' } }, {}, 'bound'),
  },
  {
    title: 'undone: the new object cannot be made, delete first',
    policy: ROLLBACK,
    before: [inOrder(['a', { swap: 1 }])],
    program: inOrder(['a', { swap: 2, broken: 'fail' }]),
  },
  {
    title: 'undone: components, a provider and outputs',
    policy: ROLLBACK,
    before: [
      async (context) => {
        await box(context, 'outer', { a: { update: 1 } });
        return { size: 1 };
      },
    ],
    program: async (context) => {
      await box(context, 'outer', { a: { update: 2 }, b: {} });
      await onProvider('mine', { region: 'north' }, { c: {} })(context);
      await context.resource(TYPE, 'd', { broken: 'fail' });
      return { size: 2 };
    },
  },
  {
    title: 'undone: a component that is replaced',
    policy: ROLLBACK,
    before: [
      async (context) => {
        await box(context, 'outer', { a: { update: 1 } });
      },
    ],
    program: async (context) => {
      await box(context, 'outer', { a: { update: 2 } });
      await context.resource(TYPE, 'b', { broken: 'fail' });
    },
    scope: { replace: ['**::outer'] },
  },
  {
    title: 'undone: options that changed',
    policy: ROLLBACK,
    before: [inOrder(['a', {}], ['b', {}])],
    program: inOrder(
      ['a', {}, { protect: true }],
      ['b', {}, { retainOnDelete: true }],
      ['c', { broken: 'fail' }],
    ),
  },
  {
    title: 'undone: a destroy in which one cannot be deleted',
    kind: 'destroy',
    policy: ROLLBACK,
    before: [line(['a', 'b', 'c'])],
    scripts: { a: { delete: 'fail' } },
  },
  {
    title: 'undone: the program gives up',
    policy: ROLLBACK,
    before: [inOrder(['old', {}])],
    program: async (context) => {
      await line(['a', 'b'])(context);
      throw new Error('the program gives up');
    },
  },
  {
    title: 'an up that went well is rolled back: deletes as well',
    before: [line(['a', 'b', 'c'])],
    program: nothing,
  },
  {
    title: 'one component is undone, the other is finished',
    policy: { ...ROLLBACK, isolate: 'component' },
    program: async (context) => {
      const shared = await context.resource(TYPE, 'shared');
      const bad = async () => {
        const outer = await context.component('my:index:Box', 'bad');
        const first = await using(context, 'bad-1', 'from', shared, {}, { parent: outer.urn });
        await using(context, 'bad-2', 'from', first, { broken: 'fail' }, { parent: outer.urn });
      };
      await Promise.all([bad().catch(() => undefined), box(context, 'good', { a: {}, b: {} })]);
    },
  },
  {
    title: 'what a broken component and a whole one use stays, what two broken ones use goes',
    policy: { ...ROLLBACK, isolate: 'component' },
    program: async (context) => {
      const [whole, lost] = await Promise.all(['whole', 'lost'].map((name) => context.resource(TYPE, name)));
      if (whole === undefined || lost === undefined) return;
      const inside = async (name: string, used: readonly (typeof whole)[], broken: string) => {
        const { urn: parent } = await context.component(BOX, name);
        const from = Object.fromEntries(used.map(({ id }, at) => [`from${at}`, id]));
        const dependencies = used.map(({ urn }) => urn);
        await context.resource(TYPE, `${name}-0`, { ...from, broken }, { parent, dependencies });
      };
      await inside('good', [whole], 'no');
      await inside('bad', [whole, lost], 'fail').catch(() => undefined);
      await inside('worse', [lost], 'fail').catch(() => undefined);
    },
  },
];
