import { makeUrn } from '@cairn/addresses';
import { OutputValue, propertyMap, UNKNOWN } from '@cairn/values';
import fc from 'fast-check';
import { ProjectSources } from '../project-sources.js';
import { customTimeouts, parseTimeout } from './custom-timeouts.js';
import { byProperty, uniqueUrns, withOutputs } from './dependencies.js';
import { secretOutputs } from './options.js';

const urn = (name: string) => makeUrn({ stack: 's', project: 'p', type: 'a:m:T', name });
const [a, b] = [urn('a'), urn('b')];

describe('LT1-024 durations', () => {
  test.each<[string, number | undefined]>([
    ['5m', 300],
    ['1h30m', 5400],
    ['1.5s', 1.5],
    ['.5h', 1800],
    ['100ms', 0.1],
    ['2us', 2e-6],
    ['2µs', 2e-6],
    ['7ns', 7e-9],
    ['0', 0],
    ['+3s', 3],
    ['', undefined],
    ['5', undefined],
    ['-5m', undefined],
    ['5 m', undefined],
    ['m', undefined],
    ['1d', undefined],
    ['5m later', undefined],
  ])('%j', (text, expected) => {
    const found = parseTimeout(text);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(expected, 12);
  });

  test('terms add up', () => {
    const hours = fc.nat({ max: 999 });
    fc.assert(
      fc.property(hours, hours, hours, (h, m, s) => {
        expect(parseTimeout(`${h}h${m}m${s}s`)).toBe(h * 3600 + m * 60 + s);
      }),
    );
  });
});

describe('time limits [REG-18]', () => {
  const pass = (limits: object) =>
    customTimeouts(
      {
        request: { customTimeouts: { create: '', update: '', delete: '', ...limits } },
      } as unknown as Parameters<typeof customTimeouts>[0],
      undefined as never,
    );

  test('that of reads counts like the others', () => {
    expect(pass({ read: '9m' })).toEqual({
      goal: { customTimeouts: { create: 0, update: 0, delete: 0, read: 540 } },
    });
    expect(() => pass({ read: 'soon' })).toThrow(/customTimeouts.read "soon" is not a duration/);
  });

  test('none leave the goal alone', () => {
    expect([pass({}), pass({ read: '' })]).toEqual([undefined, undefined]);
  });
});

describe('dependencies', () => {
  test('each once, in order', () => {
    expect(uniqueUrns([b, a, b], 'dependency')).toEqual([b, a]);
    const many = Array.from({ length: 40 }, (_item, at) => urn(String(at % 20)));
    expect(uniqueUrns(many, 'dependency')).toEqual(many.slice(0, 20));
    expect(() => uniqueUrns(['x'], 'dependency')).toThrow(/URN of dependency "x"/);
    expect(() => byProperty({ foo: ['x'] })).toThrow(/property dependency of foo/);
  });

  test('LT1-198 LT1-199 output values add theirs to their property, each once', () => {
    const values = propertyMap({
      plain: 1,
      deep: [propertyMap({ x: new OutputValue('v', false, [a]) })],
      both: new OutputValue(undefined, true, [a, b]),
    });
    expect({ ...withOutputs({ both: [b], other: [a] }, values) }).toEqual({
      both: [b, a],
      other: [a],
      deep: [a],
    });
  });

  test('nothing is copied when there are none', () => {
    const known = { x: [a] };
    expect(withOutputs(known, propertyMap({ x: 1, y: UNKNOWN }))).toBe(known);
  });

  test('a property named __proto__ is data', () => {
    const source = JSON.parse(`{"__proto__": ["${a}"]}`) as Record<string, string[]>;
    expect(Object.keys(byProperty(source))).toEqual(['__proto__']);
  });
});

describe('source positions', () => {
  const at = (uri: string, line = 3, column = 7) => ({ uri, line, column });

  test.each<[string, ReturnType<typeof at> | undefined, string | undefined]>([
    ['in the project', at('file:///projects/shop/src/index.ts'), 'project:///src/index.ts#3,7'],
    ['without a column', at('file:///projects/shop/index.ts', 3, 0), 'project:///index.ts#3'],
    ['without a line', at('file:///projects/shop/index.ts', 0, 0), 'project:///index.ts'],
    [
      'an ES module as the Node SDK names it',
      at('file:///projects/shop/file:/projects/shop/my%2520src/index.ts'),
      'project:///my src/index.ts#3,7',
    ],
    ['beside the project', at('file:///projects/lib/a.ts'), 'project:///../lib/a.ts#3,7'],
    ['not a file', at('https://example.com/a.ts'), undefined],
    ['a file of another host', at('file://host/a.ts'), undefined],
    ['none', undefined, undefined],
  ])('%s', (_title, position, expected) => {
    expect(new ProjectSources('/projects/shop').position(position)).toBe(expected);
  });

  test('frames that cannot be used stay, empty', () => {
    expect(
      new ProjectSources('/projects/shop').frames([at('file:///projects/shop/a.ts'), undefined]),
    ).toEqual([{ sourcePosition: 'project:///a.ts#3,7' }, { sourcePosition: undefined }]);
  });
});

test('an id cannot be a secret output, and that is said', () => {
  const told: string[] = [];
  expect(secretOutputs(['a', 'id'], a, ({ summary }) => void told.push(summary))).toEqual(['a']);
  expect(told).toEqual(['the id of a resource cannot be made secret']);
});
