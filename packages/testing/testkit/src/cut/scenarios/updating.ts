import { secret } from '@cairn/values';
import { hooksOf } from '../../program/program-callbacks.js';
import type { CutScenario } from '../cut-scenario.js';
import { SECRET } from '../sealing.js';
import { REMOTE, TYPE, atOnce, box, called, inOrder, line, onProvider } from './words.js';

/** Objects that are changed in place, entries that change without their object, and failures. */
export const UPDATING: readonly CutScenario[] = [
  {
    title: 'one is altered',
    before: [inOrder(['a', { update: 1 }])],
    program: inOrder(['a', { update: 2 }]),
  },
  {
    title: 'all of a line are altered',
    before: [line(['a', 'b', 'c'], { a: { update: 1 }, b: { update: 1 }, c: { update: 1 } })],
    program: line(['a', 'b', 'c'], { a: { update: 2 }, b: { update: 2 }, c: { update: 2 } }),
  },
  {
    title: 'four are altered at once',
    before: [atOnce(['a', { update: 1 }], ['b', { update: 1 }], ['c', { update: 1 }], ['d', { update: 1 }])],
    program: atOnce(['a', { update: 2 }], ['b', { update: 2 }], ['c', { update: 2 }], ['d', { update: 2 }]),
  },
  {
    title: 'one update in the middle fails',
    before: [line(['a', 'b', 'c'], { a: { update: 1 }, b: { update: 1 }, c: { update: 1 } })],
    program: line(['a', 'b', 'c'], { a: { update: 2 }, b: { update: 2, broken: 'fail' }, c: { update: 2 } }),
  },
  {
    title: 'an update leaves an object that is not ready',
    before: [line(['a', 'b'], { a: { update: 1 }, b: { update: 1 } })],
    program: line(['a', 'b'], { a: { update: 2 }, b: { update: 2, broken: 'partial' } }),
    varies: ['b'],
  },
  {
    title: 'the answer to an update is lost',
    before: [line(['a', 'b'], { a: { update: 1 }, b: { update: 1 } })],
    program: line(['a', 'b'], { a: { update: 2, broken: 'lost' }, b: { update: 2 } }),
  },
  {
    title: 'an update is tried again',
    before: [inOrder(['a', { update: 1 }])],
    program: async ({ errorHook, resource }) => {
      await errorHook('again', () => true);
      await resource(TYPE, 'a', { update: 2, flaky: 1 }, { hooks: hooksOf({ onError: ['again'] }) });
    },
  },
  {
    title: 'changes that are ignored, beside one that is not',
    before: [inOrder(['a', { update: 1, other: 1 }], ['b', { update: 1 }])],
    program: inOrder(['a', { update: 2, other: 2 }, { ignoreChanges: ['other'] }], ['b', { update: 2 }]),
  },
  {
    title: 'options change and no object does',
    before: [inOrder(['a', {}], ['b', {}], ['c', {}])],
    program: async ({ resource }) => {
      const a = await resource(TYPE, 'a', {}, { protect: true });
      await resource(TYPE, 'b', {}, { dependencies: [a.urn] });
      await resource(TYPE, 'c', {}, { retainOnDelete: true });
    },
  },
  {
    title: 'the settings of a provider change',
    before: [onProvider('mine', { region: 'north' }, { a: { update: 1 }, b: {} })],
    program: onProvider('mine', { region: 'south' }, { a: { update: 2 }, b: {} }),
  },
  {
    title: 'a secret changes',
    before: [inOrder(['a', { password: secret(`${SECRET} 1`) }])],
    program: inOrder(['a', { password: secret(`${SECRET} 2`) }], ['b', { password: secret(SECRET) }]),
  },
  {
    title: 'another name',
    before: [line(['old', 'user'], { old: { update: 1 } })],
    program: line(['new', 'user'], { new: { update: 1 } }, { new: called('old') }),
  },
  {
    title: 'another name and another value',
    before: [line(['old', 'user'], { old: { update: 1 }, user: { update: 1 } })],
    program: line(['new', 'user'], { new: { update: 2 }, user: { update: 2 } }, { new: called('old') }),
  },
  {
    title: 'another name for a component',
    before: [(context) => box(context, 'old', { a: { update: 1 }, b: {} }).then(() => undefined)],
    program: async (context) => {
      await box(context, 'new', { a: { update: 2 }, b: {} }, called('old'));
    },
  },
  {
    title: 'hooks around an update',
    before: [inOrder(['a', { update: 1 }])],
    program: async ({ hook, resource }) => {
      await hook('before', () => undefined);
      await hook('after', () => undefined);
      const hooks = hooksOf({ beforeUpdate: ['before'], afterUpdate: ['after'] });
      await resource(TYPE, 'a', { update: 2 }, { hooks });
    },
  },
  {
    title: 'a hook fails',
    before: [line(['a', 'b'], { a: { update: 1 }, b: { update: 1 } })],
    program: async (context) => {
      await context.hook('no', () => {
        throw new Error('the hook says no');
      });
      const hooks = hooksOf({ beforeUpdate: ['no'] });
      await line(['a', 'b'], { a: { update: 2 }, b: { update: 2 } }, { b: { hooks } })(context);
    },
  },
  {
    title: 'only the outputs of the stack change',
    before: [async ({ resource }) => ({ id: (await resource(TYPE, 'a')).id, size: 1 })],
    program: async ({ resource }) => ({ id: (await resource(TYPE, 'a')).id, size: 2, more: [1] }),
  },
  {
    title: 'a component of a provider changes',
    before: [
      async ({ resource }) =>
        void (await resource(REMOTE, 'box', { first: 1, second: 1 }, { custom: false, remote: true })),
    ],
    program: async ({ resource }) =>
      void (await resource(REMOTE, 'box', { first: 2, second: 1 }, { custom: false, remote: true })),
  },
  {
    title: 'outputs of a component change',
    before: [
      async (context) => {
        const outer = await box(context, 'outer', { a: { update: 1 } });
        await context.outputs(outer.urn, { size: 1 });
      },
    ],
    program: async (context) => {
      const outer = await box(context, 'outer', { a: { update: 2 } });
      await context.outputs(outer.urn, { size: 2 });
    },
  },
];
