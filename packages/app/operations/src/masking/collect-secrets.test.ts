import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { InitFailedError } from '@cairn/wire';
import type { Provider } from '@cairn/wire';
import { collectSecrets } from './collect-secrets.js';

/** Provider like the real ones, with members that only its own code can reach. */
class OwnProvider {
  readonly #outputs = propertyMap({ made: 1 });
  check = async (): Promise<unknown> => ({ inputs: propertyMap({ checked: 1 }), failures: [] });
  async create(request: { readonly inputs: PropertyMap }): Promise<unknown> {
    if ('fail' in request.inputs)
      throw new InitFailedError('i', propertyMap({ half: 1 }), request.inputs, ['no'], false, 'no');
    return { id: 'i', outputs: this.#outputs };
  }
  async getSchema(): Promise<string> {
    return JSON.stringify(this.#outputs);
  }
}

async function provider(): Promise<{ provider: Provider; heard: string[] }> {
  const heard: string[] = [];
  const loader = collectSecrets({ load: async () => new OwnProvider() as unknown as Provider }, (map) =>
    heard.push(Object.keys(map ?? {}).join()),
  );
  return { provider: await loader.load({} as never), heard };
}

test('properties are heard on their way to a provider and back, also of a creation that was not finished', async () => {
  const { provider: heardOne, heard } = await provider();
  await heardOne.check({ olds: undefined, news: propertyMap({ wanted: 1 }) } as never);
  expect(heard.splice(0)).toEqual(['', '', 'wanted', 'checked']);
  const prior = { olds: propertyMap({ old: 1 }), oldOutputs: propertyMap({ oldMade: 1 }) };
  await heardOne.check({ ...prior, news: propertyMap({ wanted: 1 }) } as never);
  expect(heard.splice(0)).toEqual(['old', 'oldMade', 'wanted', 'checked']);
  await heardOne.create({ inputs: propertyMap({ given: 1 }) } as never);
  expect(heard.splice(0)).toEqual(['given', 'made']);
  await expect(heardOne.create({ inputs: propertyMap({ fail: 1 }) } as never)).rejects.toBeInstanceOf(
    InitFailedError,
  );
  expect(heard).toEqual(['fail', 'fail', 'half']);
});

test('all else is the provider itself: what it does not have is not there', async () => {
  const { provider: heardOne, heard } = await provider();
  expect(await heardOne.getSchema({} as never)).toBe('{"made":1}');
  expect([heardOne.extras, heardOne.lookup, heard.length]).toEqual([undefined, undefined, 0]);
  expect(heardOne.create).toBe(heardOne.create);
});
