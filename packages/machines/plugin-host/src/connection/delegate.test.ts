import type { Provider } from '@cairn/wire';
import { delegateProvider, directly } from './delegate.js';

test('has every method that the other has, and no other', async () => {
  const close = () => Promise.resolve();
  const inner = {
    extras: () => Promise.resolve({ types: { 'a:b:C': { lookup: true } } }),
    lookup: () => Promise.resolve({ found: [{ id: 'x' }] }),
    cancel: () => Promise.resolve(),
    close: () => Promise.reject(new Error('it closes itself')),
  } as unknown as Provider;
  const delegate = delegateProvider(inner, { around: directly, close });
  expect(Object.keys(delegate).sort()).toEqual(['cancel', 'close', 'extras', 'lookup']);
  expect(await delegate.extras?.()).toEqual({ types: { 'a:b:C': { lookup: true } } });
  await expect(delegate.close()).resolves.toBeUndefined();
});
