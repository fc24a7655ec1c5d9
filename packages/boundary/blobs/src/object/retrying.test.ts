import { ObjectFailure } from './object-client.js';
import type { ObjectFailureKind } from './object-client.js';
import { RETRY, retryBudget, retryRequest } from './retrying.js';
import type { ObjectRetryPorts } from './retrying.js';

/** Returns retry ports whose pauses take no time and are recorded. */
function instant(random = 0.999): ObjectRetryPorts & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    random: () => random,
    now: () => slept.reduce((sum, ms) => sum + ms, 0),
    sleep: async (ms) => void slept.push(ms),
  };
}

/**
 * Fails with the given kinds, then returns the number of calls and if it was informed that an attempt may have
 * succeeded.
 */
function failing(...kinds: readonly (ObjectFailureKind | ObjectFailure)[]) {
  let calls = 0;
  return async (unsure: boolean) => {
    const kind = kinds[calls];
    calls += 1;
    if (kind !== undefined)
      throw typeof kind === 'string' ? new ObjectFailure(kind, `${kind} ${calls}`) : kind;
    return { calls, unsure };
  };
}

test.each<[string, ObjectFailureKind[], { calls: number; unsure: boolean }]>([
  ['nothing goes wrong', [], { calls: 1, unsure: false }],
  ['too many requests', ['throttled', 'throttled'], { calls: 3, unsure: false }],
  ['an answer that does not come', ['timeout'], { calls: 2, unsure: true }],
  ['a server that does not work', ['unavailable', 'throttled'], { calls: 3, unsure: true }],
  ['a clock that is corrected', ['clock-skew'], { calls: 2, unsure: false }],
])('%s is repeated', async (_title, kinds, expected) => {
  expect(await retryRequest(instant(), failing(...kinds))).toEqual(expected);
});

test.each<ObjectFailureKind>([
  'denied',
  'credentials-missing',
  'credentials-expired',
  'no-bucket',
  'condition-unsupported',
  'too-large',
  'full',
  'protocol',
])('%s is not', async (kind) => {
  const ports = instant();
  await expect(retryRequest(ports, failing(kind, kind))).rejects.toMatchObject({ message: `${kind} 1` });
  expect(ports.slept).toEqual([]);
});

test('the number of attempts is bounded, and the last failure is told', async () => {
  const ports = instant();
  const kinds = Array.from({ length: 20 }, () => 'unavailable' as const);
  await expect(retryRequest(ports, failing(...kinds))).rejects.toMatchObject({
    message: `unavailable ${RETRY.attempts}`,
  });
  expect(ports.slept).toHaveLength(RETRY.attempts - 1);
});

test('so is the time that it takes', async () => {
  const ports = instant();
  const asked = new ObjectFailure('throttled', 'later', { retryAfterMs: 25_000 });
  await expect(retryRequest(ports, failing(asked, asked, asked, asked, asked, asked))).rejects.toThrow(
    'later',
  );
  expect(ports.slept).toEqual([25_000, 25_000, 25_000]);
});

test('with a capacity, repetitions of all requests together are limited, and successes bring it back', async () => {
  const ports = { ...instant(), budget: retryBudget(12) };
  expect(await retryRequest(ports, failing('unavailable', 'unavailable'))).toMatchObject({ calls: 3 });
  await expect(retryRequest(ports, failing('timeout'))).rejects.toThrow('timeout 1');
  for (let i = 0; i < 5; i += 1) await retryRequest(ports, failing());
  expect(await retryRequest(ports, failing('timeout'))).toMatchObject({ calls: 2 });
});

test('errors of ours are not repeated', async () => {
  const ports = instant();
  await expect(retryRequest(ports, () => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError);
  expect(ports.slept).toEqual([]);
});
