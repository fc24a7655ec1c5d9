import type { Provider } from '../contracts/provider.js';
import { PROVIDER_CALLS, mapFields } from '../contracts/provider-calls.js';
import { answerAll, intercept, override } from './provider.js';

/** Has private state that only its own code can reach, like a real provider. */
class Counting {
  #calls = 0;
  async getPluginInfo() {
    this.#calls += 1;
    return { version: String(this.#calls) };
  }
  async getSchema() {
    return 'schema';
  }
  ended() {
    return this.#calls > 0;
  }
  async close() {
    this.#calls = 0;
  }
}

const counting = () => new Counting() as unknown as Provider;

describe('intercepted providers', () => {
  test('every call goes through the interceptor, and to the provider when that wants it', async () => {
    const seen: string[] = [];
    const provider = intercept(counting(), (call, request, next) => {
      seen.push(call);
      return call === 'getSchema' ? (Promise.resolve('another') as never) : next(request);
    });
    expect(await provider.getPluginInfo()).toEqual({ version: '1' });
    expect(await provider.getSchema({ version: 0 })).toBe('another');
    expect([seen, provider.ended?.()]).toEqual([['getPluginInfo', 'getSchema'], true]);
  });

  test('calls without an override go to the provider; what it does not have is not there', async () => {
    const provider = override(counting(), {
      getSchema: async (request, next) => `my ${await next(request)}`,
      lookup: async () => ({ found: [] }),
    });
    expect(await provider.getSchema({ version: 0 })).toBe('my schema');
    expect(await provider.getPluginInfo()).toEqual({ version: '1' });
    expect(Object.keys(provider).sort()).toEqual(['close', 'ended', 'getPluginInfo', 'getSchema']);
    expect(provider.getPluginInfo).toBe(provider.getPluginInfo);
  });

  test('members about its life are replaced as asked', async () => {
    let closed = 0;
    const provider = intercept(counting(), (_call, request, next) => next(request), {
      close: async () => void (closed += 1),
    });
    await provider.close();
    expect([closed, provider.ended?.()]).toEqual([1, false]);
  });
});

test('one function answers what every provider must have', async () => {
  const provider = answerAll((call) => Promise.reject(new Error(call)));
  await expect(provider.diffConfig({} as never)).rejects.toThrow('diffConfig');
  expect([provider.lookup, provider.ended, await provider.close()]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('the table says where settings go, and which maps hold the same twice', () => {
  const names = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(table).filter(([, fields]) => fields.length > 0);
  expect(names(mapFields('request', ['settings']))).toEqual([
    ['checkConfig', ['olds', 'news']],
    ['diffConfig', ['oldInputs', 'oldOutputs', 'news']],
    ['configure', ['inputs']],
  ]);
  expect(names(mapFields('request', ['outputs']))).toEqual([
    ['check', ['newsWithOutputs']],
    ['invoke', ['argsWithOutputs']],
  ]);
  const lasting = Object.entries(PROVIDER_CALLS).flatMap(([call, { effect }]) => (effect ? [call] : []));
  expect(lasting).toEqual(['parameterize', 'configure', 'create', 'update', 'delete', 'construct', 'call']);
});
