import type { StackId } from '@cairn/backends';
import { symmetricCrypter } from '@cairn/crypters';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { StackDigests } from './stack-digests.js';

const A = 'a'.repeat(16);
const B = '\xff'.repeat(16);
const C = 'c'.repeat(16);

const SOME = {
  ...emptySnapshot,
  resources: [{ custom: true, type: 'random:index/pet:Pet' } as ResourceEntry],
};

/** A stack whose digests are in memory. `operation` returns the digests of another operation on it. */
class Stack {
  stored: string | undefined;
  writes = 0;

  operation(): StackDigests {
    const bucket = {
      digests: async () => (this.stored === undefined ? undefined : Buffer.from(this.stored)),
      keepDigests: async (_id: StackId, bytes: Uint8Array) => {
        this.stored = Buffer.from(bytes).toString();
        this.writes += 1;
      },
    };
    const documents = Promise.resolve(symmetricCrypter(Buffer.alloc(32, 1)));
    return new StackDigests({ bucket, id: {} as StackId, manager: {}, documents });
  }
}

test('what providers keep is there for the next operation, under the same key [TFB-13]', async () => {
  const stack = new Stack();
  const first = stack.operation();
  const answers = await first.answers();
  for (const digest of [A, B]) answers?.keep(digest);
  await first.keep(true);
  const second = stack.operation();
  const again = await second.answers();
  expect(again?.key).toEqual(answers?.key);
  expect([again?.has(A), again?.has(B), again?.has(C)]).toEqual([true, true, false]);
  await second.keep(true);
  expect(stack.writes).toBe(1);
});

test('the digests of the engine and of providers are kept apart', async () => {
  const stack = new Stack();
  const first = stack.operation();
  (await first.answers())?.keep(A);
  first.learn(new Set([B]));
  await first.keep(false);
  const second = stack.operation();
  expect((await second.request(SOME))?.known).toEqual(new Set([B]));
  expect((await second.answers())?.has(B)).toBe(false);
  // What a whole operation did not ask for goes; the rest stays as it is.
  await second.keep(true);
  const third = stack.operation();
  expect((await third.answers())?.has(A)).toBe(false);
  expect((await third.request(SOME))?.known).toEqual(new Set([B]));
});

test('an operation that asks for no digests reads and writes nothing', async () => {
  const stack = new Stack();
  await stack.operation().keep(true);
  expect(stack.writes).toBe(0);
  const damaged = JSON.stringify({ version: 1, key: 'x', digests: '', answers: 7 });
  stack.stored = damaged;
  expect((await stack.operation().answers())?.has(A)).toBe(false);
  expect(stack.stored).toBe(damaged);
});
