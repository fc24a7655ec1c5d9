import { intercept } from '@cairn/wire';
import type { Provider } from '@cairn/wire';
import { through } from './around.js';

test('calls are made around with their name and URN; what is about the life of a provider is not', async () => {
  const answer = () => Promise.resolve('answer');
  const inner = { check: answer, invoke: answer, getSchema: answer, cancel: answer } as unknown as Provider;
  const seen: unknown[] = [];
  const provider = intercept(
    inner,
    through((name, urn, call) => {
      seen.push([name, urn]);
      return call();
    }),
  );
  expect(await provider.check({ urn: 'urn:a' } as never)).toBe('answer');
  await provider.invoke({ token: 'a:b:c' } as never);
  await provider.getSchema({ version: 0 });
  await provider.cancel();
  expect(seen).toEqual([
    ['check', 'urn:a'],
    ['invoke of a:b:c', undefined],
    ['getSchema', undefined],
  ]);
});
