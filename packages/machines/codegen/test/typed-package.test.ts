import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ComponentResource, interpolate, output } from '@cairn/sdk';
import type { Output } from '@cairn/sdk';
import { testProgram } from '@cairn/sdk/testing';
import type { Mocks } from '@cairn/sdk/testing';
import { classPaths, readSchema, resourceClasses } from '@cairn/codegen';
import type { PackageModel } from '@cairn/codegen';
import { filesOf, generated } from './generated.js';
import type { Generated } from './generated.js';
import { SAMPLE } from './sample-schema.js';

/** Resource of the sample, as the tests see it. */
interface Made {
  readonly [key: string]: Output<unknown>;
}
/** Exports of the sample, as an untyped program sees them. */
interface Sample {
  readonly Bucket: {
    new (
      name: string,
      args?: object,
      options?: object,
    ): Made & { describe(args: object): Output<string>; purge(): unknown };
    get(name: string, id: string, state?: object): Made;
  };
  readonly Site: new (name: string, args?: object) => Made;
  readonly Provider: new (name: string, args?: object) => Made;
  readonly storage: { readonly v1: { readonly Delete: new (name: string, args?: object) => Made } };
  readonly Colour: object;
  readonly config: Readonly<Record<string, unknown>>;
  getBucket(args: object): Promise<{ size: number }>;
  getBucketOutput(args: object): Output<{ size: number }>;
  add(a: number, b?: number): Promise<number>;
  addOutput(a: unknown, b?: unknown): Output<number>;
}

let sample: Generated;
let pkg: Sample;
beforeAll(() => {
  sample = generated(SAMPLE);
  pkg = sample.exports as unknown as Sample;
});
afterAll(() => sample.remove());

const mocks: Mocks = {
  resource: ({ inputs }) => ({ outputs: { ...inputs, url: 'https://site', then: 'later', made: 'by hand' } }),
  invoke: ({ token, args }) =>
    token.endsWith(':add') ? { res: Number(args['a']) + Number(args['b'] ?? 0) } : { size: 7 },
  call: ({ args }) => ({ text: `depth ${String(args['depth'])}` }),
};
const run = (program: () => unknown, more: object = {}) => testProgram(program, { mocks, ...more });

describe('resources', () => {
  test('have constants, defaults in every depth, secrets and former types', async () => {
    const { resource } = await run(() => {
      new pkg.Bucket('b', { name: 'n', secretKey: 's', rules: [{ host: 'h', next: output({ host: 'i' }) }] });
    });
    const bucket = resource('b');
    expect(bucket).toMatchObject({
      type: 'sample:index/bucket:Bucket',
      inputs: {
        name: 'n',
        kind: 'Bucket',
        size: 10,
        secretKey: 's',
        rules: [{ host: 'h', port: 80, next: { port: 80 } }],
      },
      secretInputs: ['secretKey'],
      options: { additionalSecretOutputs: ['secretKey'], replaceOnChanges: ['place'] },
    });
    expect(bucket.options['aliases']).toMatchObject({ 0: { type: 'sample:index/oldBucket:OldBucket' } });
  });

  test('have outputs, and names of their own for what every resource has', async () => {
    const { outputs } = await run(() => {
      const bucket = new pkg.Bucket('b', { name: 'n', 'odd-name': true });
      return {
        made: bucket['made_'],
        then: bucket['then_'],
        odd: bucket['odd-name'],
        rules: bucket['rules'],
      };
    });
    expect(outputs).toEqual({ made: 'by hand', then: 'later', odd: true });
  });

  test('name what is required and not given, and where', async () => {
    const declared = run(() => void new pkg.Bucket('b', {}));
    await expect(declared).rejects.toMatchObject({
      message: 'cannot declare b [sample:index/bucket:Bucket]: "name" is required and was not given',
      declaredAt: expect.stringContaining('typed-package.test.ts'),
    });
  });

  test('are read by their id, with what finds them', async () => {
    const { resource } = await run(() => void pkg.Bucket.get('b', 'id-1', { name: 'n' }));
    expect(resource('b')).toMatchObject({ kind: 'read', id: 'id-1', inputs: { name: 'n' } });
  });

  test('are extended, and told by their class', async () => {
    const { resource } = await run(() => {
      class Own extends pkg.Bucket {}
      const own = new Own('own', { name: 'n' });
      if (!(own instanceof pkg.Bucket)) throw new Error('not a bucket');
    });
    expect(resource('own').type).toBe('sample:index/bucket:Bucket');
  });

  test('of modules below others, with reserved words as names, warn when they are deprecated', async () => {
    const { resources, logs } = await run(() => void new pkg.storage.v1.Delete('d', {}));
    expect(resources.map(({ type }) => type)).toEqual(['sample:storage.example/v1/delete:delete']);
    expect(logs).toMatchObject([{ severity: 'warning', message: 'd is deprecated: take Bucket' }]);
  });

  test('that are components are made by the provider', async () => {
    const { resource, outputs } = await run(() => {
      const site = new pkg.Site('site', { bucket: new pkg.Bucket('b', { name: 'n' }) });
      return { url: interpolate`${site['url'] as Output<string>}!` };
    });
    expect(resource('site').kind).toBe('remote');
    expect(outputs).toEqual({ url: 'https://site!' });
  });

  test('that outputs refer to are objects of their class, without its constructor', async () => {
    const { outputs } = await run(() => {
      const bucket = new pkg.Bucket('b', { name: 'n' });
      const site = new ComponentResource('sample:index:Site', 'own', { bucket }, {}, true);
      const found = site.outputOf<Made>('bucket');
      return {
        same: found.apply((it) => it instanceof pkg.Bucket),
        named: found.apply((it) => it['name']),
        id: found['id'],
      };
    });
    expect(outputs).toEqual({ same: true, named: 'n', id: 'b-id' });
  });

  test('that are providers send other than texts as JSON', async () => {
    process.env['SAMPLE_REGION'] = 'north';
    const { resource } = await run(() => void new pkg.Provider('p', { settings: { a: 1 }, token: 't' }));
    delete process.env['SAMPLE_REGION'];
    expect(resource('p')).toMatchObject({
      type: 'pulumi:providers:sample',
      inputs: { settings: '{"a":1}', region: 'north' },
      secretInputs: ['token'],
    });
  });
});

describe('functions', () => {
  test('have a plain form and one with outputs', async () => {
    const { outputs, invokes } = await run(async () => ({
      plain: (await pkg.getBucket({ name: 'n', rule: { host: 'h' } })).size,
      lifted: pkg.getBucketOutput({ name: output('m') }).size,
    }));
    expect(outputs).toEqual({ plain: 7, lifted: 7 });
    expect(invokes.map(({ args }) => args)).toEqual([
      { name: 'n', rule: { host: 'h', port: 80 } },
      { name: 'm' },
    ]);
  });

  test('take arguments by position and give single values', async () => {
    const { outputs } = await run(async () => ({
      plain: await pkg.add(1, 2),
      lifted: pkg.addOutput(output(3)),
    }));
    expect(outputs).toEqual({ plain: 3, lifted: 3 });
  });

  test('name what is required and not given', async () => {
    await expect(run(() => pkg.getBucket({}))).rejects.toThrow(
      'cannot ask sample:index/getBucket:getBucket: "name" is required and was not given',
    );
  });

  test('that are methods get the object they are called on', async () => {
    const { outputs, calls } = await run(() => {
      const bucket = new pkg.Bucket('b', { name: 'n' });
      bucket.purge();
      return { text: bucket.describe({ depth: output(2) }) };
    });
    expect(outputs).toEqual({ text: 'depth 2' });
    expect(calls.map(({ token }) => token).sort()).toEqual([
      'sample:index/bucket:Bucket/describe',
      'sample:index/bucket:Bucket/purge',
    ]);
  });
});

test('the configuration is typed: numbers, secrets, defaults', async () => {
  const { outputs, secretOutputs } = await run(
    () => ({ region: pkg.config['region'], retries: pkg.config['retries'], token: pkg.config['token'] }),
    { config: { 'sample:region': 'north', 'sample:token': 't' } },
  );
  expect(outputs).toEqual({ region: 'north', retries: 3, token: 't' });
  expect(secretOutputs).toEqual(['token']);
});

test('enums are their values', () => {
  expect({ ...pkg.Colour }).toEqual({ Red: 'red', 'dark-blue': 'dark-blue' });
});

test('what another tool writes by hand is left out by name', () => {
  expect(sample.files.get('README.md')).toContain('- `sample:index/chart:Chart`');
  expect([...sample.files.keys()].filter((file) => file.startsWith('chart'))).toEqual([]);
});

describe('types', () => {
  test('compile as strictly as can be, and know what is what', () => {
    const program = `
      import * as sample from '@cairn-sdks/sample';
      import { Bucket, Colour, add, getBucketOutput } from '@cairn-sdks/sample';
      import { Delete } from '@cairn-sdks/sample/storage/v1';
      import { StringAsset } from '@cairn/sdk';
      import type { Output } from '@cairn/sdk';
      const rule: sample.inputs.Rule = { host: 'h', next: { host: 'i', port: 1 } };
      const bucket = new Bucket('b', {
        name: Promise.resolve('n'), colour: Colour.Red, rules: [rule], count: 1, 'odd-name': true,
        pet: { kind: 'dog', bark: 'loud' }, source: new StringAsset('x'), other: new Delete('d'),
      });
      const name: Output<string> = bucket.name;
      const text: Output<string> = bucket.describe({ depth: 1 });
      const sum: Promise<number> = add(1, undefined);
      const size: Output<number> = getBucketOutput({ name: bucket.name }).size;
      const read: Bucket = Bucket.get('r', bucket.id, { name: 'n' });
      const other = new sample.storage.v1.Delete('d2', { name: bucket.then_ });
      const made = new sample.Output('o').value;
      new sample.Site('s', { bucket }, { providers: [new sample.Provider('p', { settings: { a: 1 } })] });
      const region: string | undefined = sample.config.region;
      const retries: number = sample.config.retries;
      export { name, text, sum, size, read, other, made, region, retries };`;
    expect(sample.diagnose(program)).toEqual([]);
  });

  test('refuse what the schema does not allow', () => {
    const program = `import * as sample from '@cairn-sdks/sample';
new sample.Bucket('b');
new sample.Bucket('b', { name: 1 });
new sample.Bucket('b', { name: 'n', count: Promise.resolve(1) });
new sample.Bucket('b', { name: 'n', pet: { kind: 'fish', bark: 'x' } });
new sample.Bucket('b', { name: 'n', nothing: 1 });
sample.add('a', 1);
sample.getBucket({});
export const colour: sample.Colour = 'green';
`;
    const lines = new Set(sample.diagnose(program).map((text) => text.split(' ')[0]));
    expect([...lines]).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map((line) => `program.ts:${line}`));
  });
});

test('the same schema gives the same bytes, whatever the order of its members', () => {
  const reversed = { ...SAMPLE, resources: Object.fromEntries(Object.entries(SAMPLE.resources).reverse()) };
  expect([...filesOf(reversed)]).toEqual([...sample.files]);
});

test('the classes of an installed package are found by their types, the provider too', () => {
  const parameter = { baseProvider: { name: 'base', version: '1.0.0' }, parameter: 'aGk=' };
  for (const schema of [SAMPLE, { ...SAMPLE, parameterization: parameter }]) {
    const installed = generated(schema);
    const { model } = readSchema(JSON.stringify(schema));
    const expected = classPaths(model as PackageModel);
    const folder = mkdtempSync(path.join(tmpdir(), 'codegen-'));
    try {
      mkdirSync(path.join(folder, 'node_modules', '@cairn-sdks'), { recursive: true });
      symlinkSync(installed.folder, path.join(folder, 'node_modules', '@cairn-sdks', 'sample'));
      const found = resourceClasses(
        'cairn',
        folder,
        ['@cairn-sdks/sample'],
        [...expected.keys(), 'sample:a:Gone'],
      );
      expect(found).toEqual(expected);
      expect(found.size).toBeGreaterThan(4);
      expect(resourceClasses('pulumi', folder, ['@cairn-sdks/sample'], expected.keys()).size).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
      installed.remove();
    }
  }
});
