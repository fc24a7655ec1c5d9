import { makeUrn } from '@cairn/addresses';
import { Asset, propertyMap, ResourceReference, secret, UNKNOWN } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { LimitSetting } from '../../model/request.js';
import { typeLimits } from './limit-settings.js';
import type { TypeLimits } from './limit-settings.js';
import { ProcessLimits } from './process-limits.js';
import { valueKey } from './value-key.js';

const urn = makeUrn({ project: 'p', stack: 's', type: 'a:b:C', name: 'x', parent: undefined });

describe('which limits hold for a:b:C', () => {
  const none: TypeLimits = { ofPackage: Infinity, ofType: Infinity, exclusive: [] };
  type Declared = Parameters<typeof typeLimits>[3];
  test.each<[string, Record<string, LimitSetting>, Declared, Partial<TypeLimits>]>([
    ['nobody says anything', {}, undefined, {}],
    [
      'another package and another type',
      { b: { maxInFlight: 1 }, 'a:b:D': { maxInFlight: 1 } },
      undefined,
      {},
    ],
    ['declared', {}, { maxInFlight: 4, types: { 'a:b:C': { maxInFlight: 2 } } }, { ofPackage: 4, ofType: 2 }],
    ['declared for all types', {}, { types: { '*': { maxInFlight: 2 } } }, { ofType: 2 }],
    ['its own line hides the one for all', {}, { types: { '*': { maxInFlight: 2 }, 'a:b:C': {} } }, {}],
    ['set', { a: { maxInFlight: 9 } }, { maxInFlight: 4, types: {} }, { ofPackage: 9 }],
    [
      'set in part: the rest is as declared',
      { 'a:b:C': { maxInFlight: 3 } },
      { types: { 'a:b:C': { maxInFlight: 2, exclusive: ['k'] } } },
      { ofType: 3, exclusive: ['k'] },
    ],
    [
      'an exclusion taken off',
      { 'a:b:C': { exclusive: [] } },
      { types: { 'a:b:C': { exclusive: ['k'] } } },
      {},
    ],
    ['less than one', {}, { maxInFlight: -3, types: {} }, { ofPackage: 1 }],
    ['no number', {}, { maxInFlight: Number.NaN, types: {} }, {}],
  ])('%s', (_title, settings, declared, limits) => {
    const found = typeLimits('a', 'a:b:C', new Map(Object.entries(settings)), declared);
    expect(found).toEqual({ ...none, ...limits });
  });
});

describe('keys of values', () => {
  test.each<[string, PropertyValue, PropertyValue, boolean]>([
    ['texts', 'a', 'a', true],
    ['a text and a number', '1', 1, false],
    ['a secret and what it holds', secret('a'), 'a', true],
    ['maps in another order', propertyMap({ a: 1, b: [null] }), propertyMap({ b: [null], a: 1 }), true],
    ['lists in another order', [1, 2], [2, 1], false],
    ['nested lists', [[1], 2], [[1, 2]], false],
    ['a text that looks like a list', '[1]', [1], false],
    [
      'references by what they lead to',
      new ResourceReference({ urn, id: 'a' }),
      new ResourceReference({ urn, id: 'a' }),
      true,
    ],
    ['unknowns', UNKNOWN, UNKNOWN, true],
    ['files', new Asset({ text: 'a' }), new Asset({ text: 'b' }), true],
  ])('%s', (_title, one, two, equal) => {
    expect(valueKey(one) === valueKey(two)).toBe(equal);
  });
});

describe('counting', () => {
  const need = (name: string, most = 1) => ({ name, most });

  test('what is full is told once to each who asked, when something is given back', () => {
    const limits = new ProcessLimits();
    const told: string[] = [];
    const tell = (name: string) => void told.push(name);
    limits.take([need('a'), need('b', 2)]);
    expect(limits.full([need('b', 2), need('a')])).toBe('a');
    limits.whenFree('a', tell);
    limits.whenFree('a', tell);
    limits.giveBack([need('a'), need('b', 2)]);
    expect([told, limits.full([need('a')]), limits.taken('b')]).toEqual([['a'], undefined, 0]);
    limits.take([need('a')]);
    limits.giveBack([need('a')]);
    expect(told).toEqual(['a']);
  });

  test('whoever is forgotten is told nothing', () => {
    const limits = new ProcessLimits();
    const told: string[] = [];
    const tell = (name: string) => void told.push(name);
    limits.take([need('a')]);
    limits.whenFree('a', tell);
    limits.forget(tell);
    limits.giveBack([need('a')]);
    expect(told).toEqual([]);
  });

  test('giving back what was not taken is a mistake of ours', () => {
    expect(() => new ProcessLimits().giveBack([need('a')])).toThrow(/more often/);
  });
});
