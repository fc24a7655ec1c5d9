import { secret } from '@cairn/values';
import type { CutScenario } from '../cut-scenario.js';
import { SECRET } from '../sealing.js';
import { OTHER, REMOTE, TYPE, atOnce, both, box, inOrder, onProvider } from './words.js';

/** Operations that must follow a complete plan, and that are continued without their program. */
export const PLANNED: readonly CutScenario[] = [
  {
    title: 'planned: new resources in order and at once',
    planned: true,
    program: both(
      inOrder(['a', { update: 1 }], ['b', { token: secret(SECRET) }]),
      atOnce(['c', {}], ['d', {}]),
    ),
  },
  {
    title: 'planned: an explicit provider, components, and outputs of the stack',
    planned: true,
    program: async (context) => {
      await onProvider('mine', { region: 'north' }, { a: {}, b: { update: 1 } })(context);
      const { urn } = await box(context, 'outer', { c: {}, d: { update: 1 } });
      await context.outputs(urn, { size: 2 });
      await context.resource(OTHER, 'e', {}, { dependencies: [urn] });
      return { fixed: 'text', password: secret(SECRET) };
    },
  },
  {
    title: 'planned: some are altered, some replaced, some go',
    planned: true,
    before: [inOrder(['a', { update: 1 }], ['b', { replace: 1 }], ['c', {}], ['d', {}])],
    program: inOrder(['a', { update: 2 }], ['b', { replace: 2 }], ['c', {}], ['e', {}]),
  },
  {
    title: 'planned: a component of a provider',
    planned: true,
    program: async ({ resource }) => {
      await resource(REMOTE, 'box', { first: 1, second: 2 }, { custom: false, remote: true });
      await resource(TYPE, 'user', { update: 1 });
    },
  },
  {
    title: 'planned: one in the middle fails',
    planned: true,
    program: inOrder(['a', {}], ['b', { flaky: 1 }], ['c', {}]),
  },
];
