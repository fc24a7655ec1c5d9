import { cachingCrypter, symmetricCrypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { Secret } from '@cairn/values';
import { MockWorld, diffAnswer, runScenario } from '@cairn/testkit';
import type { Outcome } from '@cairn/testkit';

const KEY = Buffer.alloc(32, 7);

/**
 * Returns the places of the journal's secrets, resource and path, with every ciphertext found there in one operation.
 */
function ciphertexts({ store }: Outcome): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const map = value as Record<string, unknown>;
    if (typeof map['ciphertext'] === 'string')
      found.set(place, (found.get(place) ?? new Set()).add(map['ciphertext']));
    for (const key of Object.keys(map)) walk(map[key], `${place}/${key}`);
  };
  const resources = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const map = value as Record<string, unknown>;
    if (typeof map['urn'] === 'string') return walk(map, map['urn'].slice(map['urn'].lastIndexOf('::') + 2));
    for (const inner of Object.values(map)) resources(inner);
  };
  for (const record of store.records) if ('entry' in record) resources(record.entry);
  return found;
}

test('a secret keeps its ciphertext through all records of one operation, and gets a new one in the next that writes it', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const plain = symmetricCrypter(KEY);
  const run = (crypter: Crypter, more: number, prior?: Outcome['snapshot']): Promise<Outcome> =>
    runScenario({
      providers,
      crypter,
      ...(prior === undefined ? {} : { prior }),
      program: async ({ resource }) => {
        await resource('pkgA:m:typA', 'a', {
          password: new Secret('hunter2'),
          deep: [{ x: new Secret(1) }],
          more,
        });
        await resource('pkgA:m:typA', 'b', { more });
      },
    });
  const first = await run(cachingCrypter(plain), 1);
  const made = ciphertexts(first);
  expect([...made.keys()]).toEqual(
    expect.arrayContaining(['a/inputs/password', 'a/inputs/deep/0/x', 'a/outputs/password']),
  );
  for (const [place, texts] of made) expect([place, texts.size]).toEqual([place, 1]);

  const second = ciphertexts(await run(cachingCrypter(plain), 2, first.snapshot));
  expect(second.get('a/inputs/password')).toHaveProperty('size', 1);
  for (const [place, texts] of second)
    for (const text of texts) expect(made.get(place)?.has(text) ?? false).toBe(false);

  const without = ciphertexts(await run(plain, 3, first.snapshot));
  expect(without.get('a/inputs/password')?.size ?? 0).toBeGreaterThan(1);
});

test.each([
  ['that is listed', { size: 1 }, { additionalSecretOutputs: ['size'] }],
  ['whose input is', { size: new Secret(1) }, {}],
])('an output %s becomes secret in an unchanged object, once', async (_, inputs, options) => {
  const providers = new MockWorld({ pkgA: { behaviour: { diff: () => diffAnswer('none') } } });
  const run = (prior?: Outcome['snapshot'], ...rest: [] | [typeof inputs, typeof options]) =>
    runScenario({
      providers,
      ...(prior === undefined ? {} : { prior }),
      program: async ({ resource }) => {
        const { outputs } = await resource('pkgA:m:typA', 'a', rest[0] ?? { size: 1 }, rest[1] ?? {});
        seen.push(outputs['size']);
      },
    });
  const seen: unknown[] = [];
  const first = await run();
  const second = await run(first.snapshot, inputs, options);
  const third = await run(second.snapshot, inputs, options);
  expect(seen).toEqual([1, new Secret(1), new Secret(1)]);
  const [before, after, later] = [first, second, third].map(({ snapshot }) => snapshot.resources.at(-1));
  expect(after).toMatchObject({ outputs: { size: new Secret(1) }, modified: before?.modified });
  expect(later).toEqual(after);
  expect(providers.called('update')).toEqual([]);
});
