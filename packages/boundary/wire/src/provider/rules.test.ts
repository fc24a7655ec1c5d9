import { asUrn } from '@cairn/addresses';
import { Secret, UNKNOWN, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Provider } from '../contracts/provider.js';
import { annotateAllSecret, annotateSecrets } from './secrets.js';
import { deferUnknownSettings } from './unconfigured.js';

const s = (value: unknown) => new Secret(value as never);

describe('secrets marked again in results [PROV-12] [PROV-13]', () => {
  const rows: readonly (readonly [string, PropertyMap, PropertyMap, PropertyMap])[] = [
    ['by key', { a: 1, b: 2 }, { a: s(0) }, { a: s(1), b: 2 }],
    ['in maps', { m: { a: 1, b: 2 } }, { m: { a: s(0), b: 0 } }, { m: { a: s(1), b: 2 } }],
    ['a secret map as a whole', { m: { a: 1 } }, { m: s({ a: 0 }) }, { m: s({ a: 1 }) }],
    ['lists as a whole', { l: [1, 2] }, { l: [s(0), 0] }, { l: s([1, 2]) }],
    ['marked once', { a: s(1) }, { a: s(0) }, { a: s(1) }],
    ['keys the result lacks', { a: 1 }, { b: s(0) }, { a: 1 }],
  ];
  test.each(rows)('%s', (_name, result, inputs, expected) => {
    expect(annotateSecrets(result, inputs)).toEqual(expected);
  });

  test('all or none for invokes', () => {
    expect(annotateAllSecret({ a: 1, b: 2 }, { x: [s(0)] })).toEqual({ a: s(1), b: s(2) });
    expect(annotateAllSecret({ a: 1 }, { x: 0 })).toEqual({ a: 1 });
  });
});

describe('a provider whose settings are not known [PROV-12] [PROV-13]', () => {
  const urn = asUrn('urn:pulumi:dev::proj::test:index:Thing::a');
  const id = { urn, name: 'a', type: 'test:index:Thing' };
  const news = propertyMap({ a: 1 });

  class Plain {
    readonly asked: string[] = [];
    async configure() {
      this.asked.push('configure');
      return {
        acceptSecrets: false,
        acceptResources: false,
        acceptOutputs: false,
        supportsPreview: false,
        supportsAutonaming: false,
      };
    }
    async check() {
      this.asked.push('check');
      return { inputs: {}, failures: [] };
    }
    diff = () => this.#unexpected('diff');
    create = () => this.#unexpected('create');
    delete = () => this.#unexpected('delete');
    async #unexpected(call: string): Promise<undefined> {
      this.asked.push(call);
      return undefined;
    }
    async getPluginInfo() {
      this.asked.push('getPluginInfo');
      return { version: '1' };
    }
  }

  test('is left alone', async () => {
    const plain = new Plain();
    const provider = deferUnknownSettings(plain as unknown as Provider);
    await provider.configure({ ...id, id: '', inputs: { region: UNKNOWN } });
    expect(provider.unconfigured).toBe(true);
    const check = { ...id, olds: undefined, news, randomSeed: new Uint8Array(), allowUnknowns: true };
    expect(await provider.check(check)).toEqual({ inputs: news, failures: [] });
    const diff = await provider.diff({
      ...id,
      id: 'i',
      oldInputs: {},
      oldOutputs: {},
      news,
      allowUnknowns: true,
      ignoreChanges: [],
    });
    expect(diff).toMatchObject({ changes: 'some', replaceKeys: [] });
    const create = await provider.create({ ...id, inputs: news, timeoutSeconds: 0, preview: true });
    expect(create).toEqual({ id: '', outputs: {}, refreshBeforeUpdate: false });
    const removal = provider.delete({ ...id, id: 'i', oldInputs: {}, oldOutputs: {}, timeoutSeconds: 0 });
    await expect(removal).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    expect(plain.asked).toEqual([]);
    expect(await provider.getPluginInfo()).toEqual({ version: '1' });
  });

  test('is asked as usual once they are known; an unknown version does not count', async () => {
    const plain = new Plain();
    const provider = deferUnknownSettings(plain as unknown as Provider);
    await provider.configure({ ...id, id: '', inputs: { region: 'eu', version: UNKNOWN } });
    await provider.check({ ...id, olds: undefined, news, randomSeed: new Uint8Array(), allowUnknowns: true });
    expect(provider.unconfigured).toBe(false);
    expect(plain.asked).toEqual(['configure', 'check']);
  });
});
