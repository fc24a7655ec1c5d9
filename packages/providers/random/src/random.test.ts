import fc from 'fast-check';
import provider from './provider.js';
import { SPECIAL_CHARACTERS, randomText, textProblems } from './sampling/text.js';
import { shuffled, uniformInteger } from './sampling/uniform.js';

type Values = Readonly<Record<string, unknown>>;
/** Drawn values in the form that the tests read. */
interface Drawn {
  readonly [key: string]: string;
}
const random = provider();
const identity = (type: string) => ({
  urn: `urn:pulumi:s::p::cairn-random:index:${type}::n` as never,
  name: 'n',
  type: `cairn-random:index:${type}`,
});
const check = (type: string, news: Values) =>
  random.check({
    ...identity(type),
    olds: undefined,
    news: news as never,
    randomSeed: new Uint8Array(32),
    allowUnknowns: true,
  });
const create = async (type: string, given: Values) => {
  const { inputs, failures } = await check(type, given);
  expect(failures).toEqual([]);
  const made = await random.create({ ...identity(type), inputs, timeoutSeconds: 0, preview: false });
  return { ...made, inputs, plain: bare(made.outputs) };
};
const read = (type: string, id: string, known?: { inputs: unknown; state: unknown }) =>
  random.read({
    ...identity(type),
    id,
    inputs: known?.inputs as never,
    state: known?.state as never,
    timeoutSeconds: 0,
  });
/** Returns outputs without secret marks. */
function bare(outputs: object): Drawn {
  return Object.fromEntries(
    Object.entries(outputs).map(([key, value]) => [key, secretValue(value)]),
  ) as Drawn;
}
const secretValue = (value: unknown): unknown => (isMarked(value) ? value.value : value);
const isMarked = (value: unknown): value is { value: unknown } =>
  typeof value === 'object' && value !== null && value.constructor.name === 'Secret';

describe('every type', () => {
  test.each<[string, Values, (made: Drawn, id: string) => void]>([
    [
      'Id',
      { byteLength: 6, prefix: 'p-' },
      ({ hex, dec, b64Std, b64Url }, id) => {
        const bytes = Buffer.from(id, 'base64url');
        expect(bytes).toHaveLength(6);
        expect([hex, dec, b64Std, b64Url]).toEqual([
          `p-${bytes.toString('hex')}`,
          `p-${BigInt(`0x${bytes.toString('hex')}`)}`,
          `p-${bytes.toString('base64')}`,
          `p-${id}`,
        ]);
      },
    ],
    [
      'String',
      { length: 12, special: false, minNumeric: 3 },
      ({ result }, id) => {
        expect(result).toMatch(/^[A-Za-z0-9]{12}$/);
        expect((result ?? '').replace(/\D/g, '').length).toBeGreaterThanOrEqual(3);
        expect(id).toBe(result);
      },
    ],
    [
      'Password',
      { length: 20 },
      ({ result }, id) => {
        expect(result).toHaveLength(20);
        expect(id).toBe('none');
      },
    ],
    [
      'Pet',
      {},
      ({ result }, id) => {
        expect(result).toMatch(/^[a-z]+-[a-z]+$/);
        expect(id).toBe(result);
      },
    ],
    [
      'Pet',
      { length: 4, separator: '_', prefix: 'my' },
      ({ result }) => expect(result).toMatch(/^my(_[a-z]+){4}$/),
    ],
    [
      'Integer',
      { min: -2, max: 2 },
      ({ result }, id) => {
        expect([-2, -1, 0, 1, 2]).toContain(result);
        expect(id).toBe(String(result));
      },
    ],
    [
      'Shuffle',
      { inputs: ['a', 'b', 'c'] },
      ({ results }) => expect([...(results ?? '')].sort()).toEqual(['a', 'b', 'c']),
    ],
    ['Shuffle', { inputs: ['a', 'b'], resultCount: 5 }, ({ results }) => expect(results).toHaveLength(5)],
    [
      'Uuid',
      {},
      ({ result }, id) => {
        expect(result).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(id).toBe(result);
      },
    ],
    [
      'Bytes',
      { length: 16 },
      ({ base64, hex }, id) => {
        expect(Buffer.from(base64 ?? '', 'base64').toString('hex')).toBe(hex);
        expect(id).toBe('none');
      },
    ],
  ])('%s %j draws a value, keeps it, and draws another when asked again', async (type, given, verify) => {
    const made = await create(type, given);
    verify(made.plain, made.id);
    const kept = await read(type, made.id, { inputs: made.inputs, state: made.outputs });
    expect(kept).toMatchObject({ id: made.id, inputs: made.inputs, outputs: made.outputs });
    const changed = await random.diff({
      ...identity(type),
      id: made.id,
      oldInputs: made.inputs,
      oldOutputs: made.outputs,
      news: { ...made.inputs, keepers: { k: 'x' } },
      allowUnknowns: true,
      ignoreChanges: [],
    });
    expect(changed.replaceKeys).toEqual(['keepers']);
  });

  test.each<[string, string, Values]>([
    ['Id', 'p-,q83v', { byteLength: 3, prefix: 'p-' }],
    ['Id', 'q83v', { byteLength: 3 }],
    ['String', 'héllo', { length: 5 }],
    ['Pet', 'brave-otter', { length: 2 }],
    ['Integer', '5,1,9', { min: 1, max: 9 }],
    ['Uuid', '6F9619FF-8B86-D011-B42D-00CF4FC964FF', {}],
    ['Password', 'hunter2', { length: 7 }],
    ['Bytes', 'q83v', { length: 3 }],
  ])('%s is imported from %j', async (type, id, inputs) => {
    const found = await read(type, id);
    expect(found.inputs).toMatchObject(inputs);
    const checked = await check(type, found.inputs as Values);
    expect(checked.failures).toEqual([]);
    const again = await random.diff({
      ...identity(type),
      id: found.id,
      oldInputs: found.inputs as never,
      oldOutputs: found.outputs as never,
      news: checked.inputs,
      allowUnknowns: true,
      ignoreChanges: [],
    });
    expect(again.replaceKeys).toEqual([]);
  });

  test.each([
    ['Id', 'not base64!'],
    ['Integer', '5,6,9'],
    ['Integer', '5'],
    ['Uuid', 'nope'],
    ['Bytes', '***'],
    ['Shuffle', 'x'],
  ])('%s is not imported from %j', async (type, id) => {
    await expect(read(type, id)).rejects.toMatchObject({ name: 'ProviderError', inDoubt: false });
  });

  test.each([
    ['Password', 'hunter2', 'result'],
    ['Bytes', 'q83v', 'base64'],
  ])('an imported %s is secret and no part of the id', async (type, id, key) => {
    const found = await read(type, id);
    expect(found.id).toBe('none');
    expect(isMarked((found.outputs as Values)[key])).toBe(true);
  });
});

describe('rules', () => {
  const rules = {
    length: 8,
    lower: true,
    upper: true,
    numeric: true,
    special: true,
    minLower: 0,
    minUpper: 0,
    minNumeric: 0,
    minSpecial: 0,
  };
  test.each<[string, Values, string]>([
    ['String', { length: 3, minUpper: 2, minNumeric: 2 }, 'length'],
    ['String', { length: 3, lower: false, upper: false, numeric: false, special: false }, 'lower'],
    ['String', { length: 3, upper: false, minUpper: 1 }, 'minUpper'],
    ['String', { length: 3, overrideSpecial: '' }, 'overrideSpecial'],
    ['String', { length: 0 }, 'length'],
    ['Password', {}, 'length'],
    ['Pet', { length: 'many' }, 'length'],
    ['Integer', { min: 2, max: 1 }, 'max'],
    ['Shuffle', { inputs: [], resultCount: 1 }, 'inputs'],
    ['Id', { byteLength: 0 }, 'byteLength'],
    ['Uuid', { keeper: {} }, 'keeper'],
  ])('%s refuses %j because of %s', async (type, given, property) => {
    expect((await check(type, given)).failures.map((failure) => failure.property)).toEqual([property]);
  });

  const anyRules = fc.record({
    length: fc.integer({ min: 1, max: 64 }),
    lower: fc.boolean(),
    upper: fc.boolean(),
    numeric: fc.boolean(),
    special: fc.boolean(),
    minLower: fc.nat(5),
    minUpper: fc.nat(5),
    minNumeric: fc.nat(5),
    minSpecial: fc.nat(5),
    overrideSpecial: fc.option(fc.constantFrom('-_', '!'), { nil: undefined }),
  });
  test('a text follows every set of rules that is accepted', () =>
    fc.assert(
      fc.property(
        anyRules.filter((given) => textProblems(given).length === 0),
        (given) => {
          const text = [...randomText(given)];
          const specials = given.overrideSpecial ?? SPECIAL_CHARACTERS;
          const count = (test: (char: string) => boolean): number => text.filter(test).length;
          const found = {
            lower: count((c) => /[a-z]/.test(c)),
            upper: count((c) => /[A-Z]/.test(c)),
            numeric: count((c) => /\d/.test(c)),
            special: count((c) => specials.includes(c)),
          };
          expect(text).toHaveLength(given.length);
          expect(found.lower + found.upper + found.numeric + found.special).toBe(given.length);
          for (const [flag, minimum] of [
            ['lower', 'minLower'],
            ['upper', 'minUpper'],
            ['numeric', 'minNumeric'],
            ['special', 'minSpecial'],
          ] as const) {
            expect(found[flag]).toBeGreaterThanOrEqual(given[minimum]);
            if (!given[flag]) expect(found[flag]).toBe(0);
          }
        },
      ),
    ));

  test('two texts of the same rules differ', () => {
    expect(randomText({ ...rules, length: 40 })).not.toBe(randomText({ ...rules, length: 40 }));
  });
});

describe('sampling', () => {
  test('integers stay in any safe range', () =>
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        const [min, max] = a < b ? [a, b] : [b, a];
        const drawn = uniformInteger(min, max);
        expect(Number.isSafeInteger(drawn) && drawn >= min && drawn <= max).toBe(true);
      }),
    ));

  test('every value of a small range comes about equally often', () => {
    const counts = new Map<number, number>();
    for (let draw = 0; draw < 5000; draw += 1) {
      const drawn = uniformInteger(0, 4);
      counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
    }
    // The expected count is 1000 each with a deviation of 28; 300 off happens less than once in 10^25 runs.
    expect([...counts.keys()].sort()).toEqual([0, 1, 2, 3, 4]);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(300);
  });

  test('a shuffle keeps every item', () =>
    fc.assert(
      fc.property(fc.array(fc.integer()), (items) =>
        expect([...shuffled(items)].sort()).toEqual([...items].sort()),
      ),
    ));
});
