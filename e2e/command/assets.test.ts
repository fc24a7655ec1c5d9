import { createHash } from 'node:crypto';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

interface ExportedResource {
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
}

async function resource(box: Sandbox, type: string): Promise<ExportedResource> {
  const exported = expectOk(await box.cairn(['stack', 'export'])).stdout;
  const { deployment } = JSON.parse(exported) as {
    deployment: { resources: readonly ExportedResource[] };
  };
  const found = deployment.resources.find((entry) => entry.type === type);
  if (found === undefined) throw new Error(`no ${type} in\n${exported}`);
  return found;
}

/** A provider package whose resource takes an asset and an archive, and reports the inputs of create and update. */
const provider = {
  'node_modules/crates/package.json': JSON.stringify({
    name: 'crates',
    version: '1.0.0',
    type: 'module',
    exports: { '.': './index.js', './package.json': './package.json' },
    cairn: { provider: { name: 'crates', module: './provider.js' } },
  }),
  'node_modules/crates/index.js': `
import { CustomResource } from '@cairn/sdk';
export class Crate extends CustomResource {
  constructor(name, args, options) { super('crates:index:Crate', name, args, options); }
  get given() { return this.outputOf('given'); }
}
`,
  'node_modules/crates/provider.js': `
import { defineProvider, defineResource, s, toProvider } from '@cairn/provider-sdk';
const given = ({ source, note, bundle }) => ({
  given: [source.path, source.hash, note.text, note.hash, Object.keys(bundle.assets).join(), bundle.hash].join(' '),
});
const crate = defineResource({
  inputs: { source: s.any(), note: s.any(), bundle: s.any() },
  outputs: { given: s.string() },
  create: async (inputs) => ({ id: 'crate', outputs: given(inputs) }),
  update: async (old, inputs) => given(inputs),
  delete: async () => {},
});
const definition = defineProvider({ name: 'crates', version: '1.0.0', resources: { 'index:Crate': crate } });
export default () => toProvider(definition);
`,
};

describe('assets of a program on our SDK', () => {
  const program = (file: string): string => `
import { AssetArchive, FileArchive, FileAsset, StringAsset } from '@cairn/sdk';
// @ts-expect-error the package has no types
import { Crate } from 'crates';
const crate = new Crate('crate', {
  source: new FileAsset(${JSON.stringify(file)}),
  note: new StringAsset('hello world'),
  bundle: new AssetArchive({ 'file.txt': new StringAsset('hello world'), site: new FileArchive('./site') }),
});
export const given = crate.given;
`;
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({
      ...provider,
      'index.ts': program('./data.txt'),
      'data.txt': 'first',
      'site/index.html': '<p>',
      'package.json': JSON.stringify({
        name: 'shop',
        private: true,
        type: 'module',
        dependencies: { '@cairn/sdk': '*', crates: '*' },
      }),
    });
  });
  afterAll(() => box.remove());

  const given = async (): Promise<string> =>
    expectOk(await box.cairn(['stack', 'output', 'given'])).stdout.trim();

  test('the provider gets contents and hashes, the state keeps both', async () => {
    giveStack(box);
    expectOk(await box.cairn(['up', '--yes']));
    const note = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';
    expect(sha256('hello world')).toBe(note);
    expect(await given()).toMatch(
      new RegExp(`^\\./data\\.txt ${sha256('first')} hello world ${note} file\\.txt,site [0-9a-f]{64}$`),
    );
    const { inputs } = await resource(box, 'crates:index:Crate');
    expect(inputs?.['source']).toMatchObject({ path: './data.txt', hash: sha256('first') });
    expect(inputs?.['bundle']).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test('nothing changed: nothing to do', async () => {
    expectOk(await box.cairn(['up', '--yes', '--expect-no-changes']));
  });

  test.each([
    ['another content of the file', 'data.txt', 'second'],
    ['a changed file of a directory in an archive', 'site/index.html', '<p>2'],
    ['a new file of it', 'site/extra.html', '<p>3'],
  ])('%s is an update', async (_title, file, content) => {
    const before = await given();
    box.write(file, content);
    const up = expectOk(await box.cairn(['up', '--yes']));
    expect(up.stdout).toMatch(/1 updated/);
    expect(await given()).not.toBe(before);
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
  });

  test('the same content under another name is no change', async () => {
    box.write('copy.txt', 'second');
    box.write('index.ts', program('copy.txt'));
    expectOk(await box.cairn(['up', '--yes', '--expect-no-changes']));
  });

  test('a missing file is one error that names resource, property and path', async () => {
    box.write('index.ts', program('nowhere.txt'));
    const up = await box.cairn(['up', '--yes', '--skip-preview']);
    expect(up.code).toBe(4);
    expect(up.text).toContain('CAIRN-RESOURCE-ASSET');
    expect(up.text).toContain('cannot read file "nowhere.txt" of property "source": there is no such file');
    expect(up.text).toContain('crate (crates:index:Crate)\n');
    expect(up.text.match(/error\[CAIRN-[A-Z-]+/g)).toHaveLength(1);
  });
});

describe('assets of a program on @pulumi/pulumi', () => {
  const program = `
const pulumi = require('@pulumi/pulumi');
const provider = {
  create: async (inputs) => ({ id: 'x', outs: { source: inputs.source } }),
  update: async (id, olds, news) => ({ outs: { source: news.source } }),
};
class Holder extends pulumi.dynamic.Resource {
  constructor(name) { super(provider, name, { source: new pulumi.asset.FileAsset('./data.txt') }); }
}
class Shown extends pulumi.ComponentResource {
  constructor(name) {
    super('shop:index:Shown', name);
    this.registerOutputs({ page: new pulumi.asset.StringAsset('page') });
  }
}
new Holder('holder');
new Shown('shown');
`;
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({
      'Cairn.yaml': 'name: shop\nruntime: nodejs\nmain: index.js\n',
      'package.json': JSON.stringify({ name: 'shop', dependencies: { '@pulumi/pulumi': '*' } }),
      'index.js': program,
      'data.txt': 'first',
    });
  });
  afterAll(() => box.remove());

  const holder = 'pulumi-nodejs:dynamic:Resource';

  test('inputs and the outputs of components have hashes', async () => {
    giveStack(box);
    expectOk(await box.cairn(['up', '--yes']));
    expect((await resource(box, holder)).inputs?.['source']).toMatchObject({ hash: sha256('first') });
    expect((await resource(box, 'shop:index:Shown')).outputs?.['page']).toMatchObject({
      text: 'page',
      hash: sha256('page'),
    });
    expectOk(await box.cairn(['up', '--yes', '--expect-no-changes']));
  });

  test('another content of the file is an update', async () => {
    box.write('data.txt', 'second');
    expect(expectOk(await box.cairn(['up', '--yes'])).stdout).toMatch(/1 updated/);
    expect((await resource(box, holder)).inputs?.['source']).toMatchObject({ hash: sha256('second') });
    expectOk(await box.cairn(['up', '--yes', '--expect-no-changes']));
  });
});
