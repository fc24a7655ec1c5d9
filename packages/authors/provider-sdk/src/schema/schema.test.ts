import { Secret, UNKNOWN, propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Autonaming } from '@cairn/wire';
import { checkShape } from './check.js';
import { diffInputs, forbiddenChanges } from './diff.js';
import type { NamingContext } from './naming.js';
import { s, shapeSpec } from './property.js';
import type { Shape } from './property.js';

const seed = new Uint8Array(32).fill(7);
const none: PropertyMap = propertyMap({});

describe('names of objects [REG-15]', () => {
  const shape = {
    name: s.string({ maxLength: 12 }).autoname(),
    title: s.string().autoname({ separator: '_', digits: 4 }),
  };
  const settings = (mode: Autonaming['mode']): Autonaming => ({ proposedName: 'wanted', mode });
  const named = (given: Record<string, string>, context: Partial<NamingContext> = {}) =>
    checkShape(shapeSpec(shape), propertyMap(given), {
      name: 'orders-database',
      olds: undefined,
      seed,
      autonaming: undefined,
      ...context,
    });

  test('are made of the resource and the seed, and fit', () => {
    const { inputs, failures } = named({});
    expect(failures).toEqual([]);
    expect(inputs['name']).toMatch(/^orde-[0-9a-f]{7}$/);
    expect(inputs['title']).toMatch(/^orders-database_[0-9a-f]{4}$/);
    expect(named({}).inputs).toEqual(inputs);
    expect(named({}, { seed: new Uint8Array(32) }).inputs['name']).not.toEqual(inputs['name']);
  });

  test.each<[string, Record<string, string>, Partial<NamingContext>, string | undefined]>([
    ['what the program gives counts', { name: 'mine' }, { autonaming: settings('enforce') }, 'mine'],
    [
      'an object keeps its name',
      {},
      { olds: propertyMap({ name: 'old' }), autonaming: settings('propose') },
      'old',
    ],
    ['a proposed name is taken', {}, { autonaming: settings('propose') }, 'wanted'],
    ['an enforced name is taken', {}, { autonaming: settings('enforce') }, 'wanted'],
    ['no names are made where that is the setting', {}, { autonaming: settings('disable') }, undefined],
  ])('%s', (_title, given, context, expected) => {
    const { inputs, failures } = named({ title: 't', ...given }, context);
    expect(inputs['name']).toBe(expected);
    const reason = 'is required, because autonaming is off';
    expect(failures).toEqual(expected === undefined ? [{ property: 'name', reason }] : []);
  });
});

describe('comparing by the schema', () => {
  const shape = {
    ports: s.set(s.integer()).optional(),
    rules: s
      .set(s.object({ to: s.string(), from: s.string(), tags: s.set(s.string()).optional() }))
      .optional(),
    steps: s.array(s.string()).optional(),
    zone: s.string().computed(),
    login: s.string().optional().replaceOnChange(),
  };
  const compare = (old: object, news: object, outputs: object = {}, canUpdate = true) =>
    diffInputs(
      {
        old: propertyMap(old as PropertyMap),
        news: propertyMap(news as PropertyMap),
        outputs: propertyMap(outputs as PropertyMap),
      },
      [],
      { shape: shapeSpec(shape), canUpdate, deleteBeforeReplace: false, stableKeys: [] },
    );

  test.each<[string, object, object, object, readonly string[], readonly string[]]>([
    ['the order of a set', { ports: [1, 2] }, { ports: [2, 1] }, {}, [], []],
    ['a repetition in a set', { ports: [1, 2] }, { ports: [2, 1, 2] }, {}, [], []],
    ['an item of a set', { ports: [1, 2] }, { ports: [3, 2] }, {}, ['ports'], ['ports']],
    [
      'the order of a list',
      { steps: ['a', 'b'] },
      { steps: ['b', 'a'] },
      {},
      ['steps'],
      ['steps[0]', 'steps[1]'],
    ],
    [
      'the order of objects in a set, and of a set in them',
      {
        rules: [
          { to: 'a', from: 'b', tags: ['x', 'y'] },
          { to: 'c', from: 'd' },
        ],
      },
      {
        rules: [
          { from: 'd', to: 'c' },
          { from: 'b', to: 'a', tags: ['y', 'x'] },
        ],
      },
      {},
      [],
      [],
    ],
    ['secret marks in a set', { ports: [1, secret(2)] }, { ports: [2, 1] }, {}, [], []],
    ['leaving a choice to the provider again', { zone: 'a' }, {}, { zone: 'a' }, [], []],
    ['asking for what the provider has chosen', {}, { zone: 'a' }, { zone: 'a' }, [], []],
    ['asking for another choice', {}, { zone: 'b' }, { zone: 'a' }, ['zone'], ['zone']],
    ['changing a choice of the program', { zone: 'a' }, { zone: 'b' }, { zone: 'a' }, ['zone'], ['zone']],
    ['what belongs to the engine', { __meta: 1 }, { __meta: 2 }, {}, [], []],
  ])('%s', (_title, old, news, outputs, changed, details) => {
    const answer = compare(old, news, outputs);
    expect([answer.changes, answer.changedKeys]).toEqual([changed.length === 0 ? 'none' : 'some', changed]);
    expect(Object.keys(answer.detailedDiff ?? {})).toEqual(details);
    expect(answer.replaceKeys).toEqual([]);
    expect(compare(old, news, outputs, false).replaceKeys).toEqual(changed);
  });
});

describe('immutable inputs', () => {
  const shape: Shape = {
    region: s.string().immutable(),
    disk: s.object({ kind: s.string().immutable(), size: s.integer() }).optional(),
  };
  const forbidden = (old: PropertyMap, news: PropertyMap) =>
    forbiddenChanges(shapeSpec(shape), { old, news, outputs: none }).map(({ property }) => property);

  test.each<[string, PropertyMap, PropertyMap, readonly string[]]>([
    ['the same value', propertyMap({ region: 'n' }), propertyMap({ region: 'n' }), []],
    ['a mark is no change', propertyMap({ region: 'n' }), propertyMap({ region: new Secret('n') }), []],
    ['another value', propertyMap({ region: 'n' }), propertyMap({ region: 's' }), ['region']],
    ['what is not known yet', propertyMap({ region: 'n' }), propertyMap({ region: UNKNOWN }), []],
    [
      'inside of an object',
      propertyMap({ region: 'n', disk: { kind: 'a', size: 1 } as never }),
      propertyMap({ region: 'n', disk: { kind: 'b', size: 2 } as never }),
      ['disk.kind'],
    ],
  ])('%s', (_title, old, news, expected) => {
    expect(forbidden(old, news)).toEqual(expected);
  });
});
