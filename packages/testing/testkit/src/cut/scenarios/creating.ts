import { secret } from '@cairn/values';
import { hooksOf } from '../../program/program-callbacks.js';
import type { CutScenario } from '../cut-scenario.js';
import { SECRET } from '../sealing.js';
import { OTHER, REMOTE, TYPE, atOnce, box, inOrder, line, nothing, onProvider, using } from './words.js';

/** New objects: in every order, in components, through providers, and with failures. */
export const CREATING: readonly CutScenario[] = [
  { title: 'one resource', program: inOrder(['a', { update: 1 }]) },
  { title: 'three in a line', program: line(['a', 'b', 'c']) },
  { title: 'five at once', program: atOnce(['a', {}], ['b', {}], ['c', {}], ['d', {}], ['e', {}]) },
  {
    title: 'five, one at a time',
    parallel: 1,
    program: atOnce(['a', {}], ['b', {}], ['c', {}], ['d', {}], ['e', {}]),
  },
  {
    title: 'a diamond',
    program: async (context) => {
      const top = await context.resource(TYPE, 'top', { update: 1 });
      const [left, right] = await Promise.all([
        using(context, 'left', 'from', top),
        using(context, 'right', 'bound', top),
      ]);
      await context.resource(
        TYPE,
        'bottom',
        { left: left.id, right: right.id },
        { dependencies: [left.urn, right.urn] },
      );
    },
  },
  {
    title: 'secrets',
    program: async (context) => {
      const a = await context.resource(TYPE, 'a', { password: secret(SECRET) });
      await using(context, 'b', 'from', a, { token: secret(SECRET) });
      return { password: secret(SECRET) };
    },
  },
  {
    title: 'components in components',
    program: async (context) => {
      const outer = await box(context, 'outer', { a: { update: 1 } });
      const inner = await box(context, 'inner', { b: {}, c: {} }, { parent: outer.urn });
      await context.outputs(inner.urn, { size: 2 });
      await context.outputs(outer.urn, { size: 1 });
    },
  },
  {
    title: 'a component of a provider',
    program: async ({ resource }) => {
      const { outputs } = await resource(
        REMOTE,
        'box',
        { first: 1, second: 2 },
        { custom: false, remote: true },
      );
      await resource(TYPE, 'user', { first: outputs['first'] });
    },
  },
  {
    title: 'an explicit provider',
    program: onProvider('mine', { region: 'north' }, { a: {}, b: { update: 1 } }),
  },
  {
    title: 'two packages',
    program: async ({ resource }) => {
      await Promise.all([resource(TYPE, 'a'), resource(OTHER, 'b'), resource(OTHER, 'c')]);
    },
  },
  {
    title: 'outputs of the stack',
    program: async ({ resource }) => {
      const { id } = await resource(TYPE, 'a');
      return { id, fixed: 'text', list: [1, 2] };
    },
  },
  {
    title: 'what an object says decides what comes next',
    program: async ({ resource }) => {
      const { outputs } = await resource(TYPE, 'a', { count: 3 });
      for (let n = 0; n < Number(outputs['count'] ?? 1); n += 1) await resource(TYPE, `part-${n}`, { n });
    },
  },
  { title: 'an object that is not ready', program: line(['a', 'b'], { a: { broken: 'partial' } }) },
  { title: 'one in the middle fails', program: line(['a', 'b', 'c'], { b: { broken: 'fail' } }) },
  {
    title: 'one fails, the others go on',
    policy: { continueOnError: true, onError: 'continue' },
    program: async (context) => {
      const bad = context.resource(TYPE, 'bad', { broken: 'fail' }).then(
        (answer) => using(context, 'after', 'from', answer),
        () => undefined,
      );
      await Promise.all([bad, line(['a', 'b'])(context)]);
    },
  },
  { title: 'an answer is lost', program: line(['a', 'b'], { a: { broken: 'lost' } }) },
  {
    title: 'an error hook tries again',
    program: async ({ errorHook, resource }) => {
      await errorHook('again', () => true);
      await resource(TYPE, 'a', { flaky: 2 }, { hooks: hooksOf({ onError: ['again'] }) });
      await resource(TYPE, 'b');
    },
  },
  {
    title: 'hooks around a create',
    program: async ({ hook, resource }) => {
      await hook('before', () => undefined);
      await hook('after', () => undefined);
      const hooks = hooksOf({ beforeCreate: ['before'], afterCreate: ['after'] });
      await resource(TYPE, 'a', { update: 1 }, { hooks });
      await resource(TYPE, 'b', {}, { hooks });
    },
  },
  {
    title: 'a new resource that is kept',
    program: inOrder(['a', {}], ['kept', { update: 1 }, { retainOnDelete: true }]),
    retains: ['kept'],
    stays: ['kept'],
  },
  { title: 'a new resource that is protected', program: inOrder(['a', {}, { protect: true }], ['b', {}]) },
  {
    title: 'an object is taken over',
    outside: { 'there-1': { name: 'taken', inputs: { update: 1 } } },
    program: inOrder(['taken', { update: 1 }, { importId: 'there-1' }], ['b', {}]),
  },
  {
    title: 'an object is looked up',
    outside: { 'there-1': { name: 'seen', inputs: { update: 1 } } },
    program: async ({ read, resource }) => {
      const { urn, properties } = await read(TYPE, 'seen', 'there-1');
      await resource(TYPE, 'b', { update: properties['update'] }, { dependencies: [urn] });
    },
  },
  {
    title: 'a child of a resource',
    program: async ({ resource }) => {
      const { urn } = await resource(TYPE, 'a');
      await resource(TYPE, 'child', {}, { parent: urn });
      await resource(TYPE, 'other', {}, { parent: urn, protect: false });
    },
  },
  { title: 'a program that is empty', before: [inOrder(['a', {}])], program: nothing },
];
