import fc from 'fast-check';
import { UNKNOWN } from '@cairn/values';
import { isOutput, sourceOf } from './brand.js';
import {
  all,
  concat,
  interpolate,
  isSecret,
  jsonParse,
  jsonStringify,
  output,
  secret,
  unsecret,
} from './combine.js';
import { makeOutput } from './output.js';
import type { Output, OutputHandle } from './brand.js';
import { isKnown } from './resolution.js';
import type { Resolution } from './resolution.js';
import type { Resource } from '../resource/resource.js';

const resolve = async (out: OutputHandle<unknown>): Promise<Resolution> => sourceOf(out);
const valueOf = async (out: OutputHandle<unknown>): Promise<unknown> => (await resolve(out)).value;
const from = (resource: object): Resource => resource as Resource;
/** Everything that two outputs must share to be equal to any reader. */
const meaning = async (out: OutputHandle<unknown>): Promise<unknown> => {
  const { value, secret: marked, dependencies } = await resolve(out);
  return { value, marked, dependencies: [...dependencies] };
};

/** Outputs of numbers in every state: known or unknown, secret or not, with and without dependencies. */
const resources = [{ r: 1 }, { r: 2 }, { r: 3 }].map(from);
const anyOutput: fc.Arbitrary<Output<number>> = fc
  .record({
    value: fc.option(fc.integer(), { nil: UNKNOWN }),
    secret: fc.boolean(),
    later: fc.boolean(),
    on: fc.subarray(resources),
  })
  .map(({ value, secret: marked, later, on }) => {
    const resolution: Resolution = { value, secret: marked, dependencies: new Set(on) };
    return makeOutput<number>(later ? Promise.resolve(resolution) : resolution);
  });
const functions: ((n: number) => number | Output<number>)[] = [
  (n) => n + 1,
  (n) => output(n * 2),
  (n) => secret(n - 3),
];

describe('laws', () => {
  test('apply of the identity is the output itself', () =>
    fc.assert(
      fc.asyncProperty(anyOutput, async (out) =>
        expect(await meaning(out.apply((n) => n))).toEqual(await meaning(out)),
      ),
    ));

  test('apply of a function that makes an output is that output, marks and dependencies joined', () =>
    fc.assert(
      fc.asyncProperty(fc.integer(), fc.constantFrom(...functions), async (n, f) => {
        expect(await meaning(output(n).apply(f))).toEqual(await meaning(output(f(n))));
      }),
    ));

  test('applies in a row are one apply of both', () =>
    fc.assert(
      fc.asyncProperty(
        anyOutput,
        fc.constantFrom(...functions),
        fc.constantFrom(...functions),
        async (out, f, g) => {
          // An unknown output calls neither function, so marks that f would add are not visible either way.
          const inRow = out.apply(f).apply(g);
          const nested = out.apply((n) => (output(f(n)) as Output<number>).apply(g));
          expect(await meaning(inRow)).toEqual(await meaning(nested));
        },
      ),
    ));

  test('secretness and dependencies are never lost, and nothing is known that has an unknown part', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyOutput, { maxLength: 4 }), async (outs) => {
        const parts = await Promise.all(outs.map(resolve));
        const joined = await resolve(all(outs));
        expect(joined.secret).toBe(parts.some((part) => part.secret));
        expect(new Set(joined.dependencies)).toEqual(
          new Set(parts.flatMap((part) => [...part.dependencies])),
        );
        expect(isKnown(joined)).toBe(parts.every(isKnown));
      }),
    ));

  test('a function is called exactly when everything is known', () =>
    fc.assert(
      fc.asyncProperty(anyOutput, async (out) => {
        let calls = 0;
        await resolve(out.apply(() => (calls += 1)));
        expect(calls).toBe(isKnown(await resolve(out)) ? 1 : 0);
      }),
    ));
});

describe('values', () => {
  test.each<[string, () => OutputHandle<unknown>, unknown]>([
    [
      'promises and outputs at any depth',
      () => output({ a: [Promise.resolve(1), output(Promise.resolve({ b: output(2) }))] }),
      { a: [1, { b: 2 }] },
    ],
    ['all of a list', () => all([1, output('x'), Promise.resolve(true)]), [1, 'x', true]],
    ['all of an object', () => all({ a: output(1), b: 2 }), { a: 1, b: 2 }],
    ['interpolate', () => interpolate`${output('a')}-${1}-${Promise.resolve('c')}!`, 'a-1-c!'],
    ['interpolate without values', () => interpolate`plain`, 'plain'],
    ['concat', () => concat('a', output(1), true), 'a1true'],
    ['jsonStringify', () => jsonStringify({ a: output([1]) }), '{"a":[1]}'],
    ['jsonParse', () => jsonParse(output('{"a":1}')), { a: 1 }],
    ['a property', () => output({ a: { b: [1, 2] } }).a.b[1] as OutputHandle<unknown>, 2],
    [
      'a property that is not there',
      () => (output({}) as Output<{ x?: number }>).x as unknown as OutputHandle<unknown>,
      undefined,
    ],
    [
      'a property of a partly known value',
      () =>
        (
          makeOutput({ value: { a: 1, b: UNKNOWN }, secret: false, dependencies: new Set() }) as Output<{
            a: number;
          }>
        ).a as OutputHandle<unknown>,
      1,
    ],
    ['an output of an output', () => output(1).apply(() => output(2).apply(() => output(3))), 3],
  ])('%s', async (_what, make, expected) => {
    expect(await valueOf(make())).toEqual(expected);
  });

  test('secret marks and unsecret takes the mark away, for the top only', async () => {
    expect(await isSecret(secret(1))).toBe(true);
    expect(await isSecret(unsecret(secret(1)))).toBe(false);
    expect(await isSecret(output({ a: secret(1) }))).toBe(true);
    expect(await isSecret(output(secret({ a: 1 })).apply(() => 'x'))).toBe(true);
  });

  test('an output is no text, no JSON and no promise', async () => {
    const out = output('x');
    expect(() => `${out as unknown as string}`).toThrow(/cannot be turned to a string/);
    expect(() => JSON.stringify({ out })).toThrow(/cannot be turned to JSON/);
    expect(await out).toBe(out);
    expect(isOutput(out)).toBe(true);
    expect(isOutput({ apply: () => 1 })).toBe(false);
  });

  test('a rejection stays a rejection', async () => {
    const failing = output(Promise.reject<number>(new Error('no')));
    await expect(resolve(failing.apply(() => 1))).rejects.toThrow('no');
    await expect(
      resolve(
        output(1).apply(() => {
          throw new Error('inside');
        }),
      ),
    ).rejects.toThrow('inside');
  });
});
