import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** `cairn migrate sdk` on whole projects, and the effects of the programs before and after it. */

let box: Sandbox;
afterEach(() => box.remove());

const PROJECT = {
  'Pulumi.yaml':
    'name: shop\nruntime: nodejs\nmain: src/index.ts\nconfig:\n  shop:owner:\n    default: the reading room\n',
  'package.json': `{
  "name": "shop",
  "private": true,
  "dependencies": { "@pulumi/pulumi": "^3.100.0" }
}
`,
  'README.md': 'Made with @pulumi/pulumi.\n',
  'src/index.ts': `import * as pulumi from '@pulumi/pulumi';
import { Shelf } from './shelf';
import { Entry, Lot } from './resources';

const config = new pulumi.Config();
const owner = config.require('owner');
const code = config.getSecret('code') ?? pulumi.secret('0000');
const stack = pulumi.getStack();

const lot = new Lot('lot', { length: 2, keepers: { owner } }, { retainOnDelete: true });
const shelf = new Shelf('shelf', { folder: 'kept', titles: ['stones', 'paths'] });
const catalogue = new Entry(
  'catalogue',
  { path: 'kept/catalogue.txt', content: pulumi.interpolate\`\${owner}, \${stack}: \${lot.result}\` },
  { dependsOn: [shelf], aliases: [{ name: 'index' }], ignoreChanges: ['mode'] },
);
const door = new Entry('door', { path: 'kept/door.txt', content: code }, { additionalSecretOutputs: ['hash'] });

export const titles = pulumi.all(shelf.entries.map((entry) => entry.path)).apply((paths) => paths.join(' '));
export const size: pulumi.Output<number> = catalogue.size;
export const seal = door.hash;
`,
  'src/shelf.ts': `import { ComponentResource } from '@pulumi/pulumi';
import type { ComponentResourceOptions } from '@pulumi/pulumi';
import { Entry, Folder } from './resources';

export class Shelf extends ComponentResource {
  readonly entries: Entry[];
  constructor(name: string, args: { folder: string; titles: string[] }, opts?: ComponentResourceOptions) {
    super('shop:index:Shelf', name, {}, opts);
    const folder = new Folder(\`\${name}-folder\`, { path: args.folder }, { parent: this });
    this.entries = args.titles.map(
      (title) => new Entry(\`\${name}-\${title}\`, { path: \`\${args.folder}/\${title}.txt\`, content: title }, { parent: this, dependsOn: folder }),
    );
    this.registerOutputs({ count: this.entries.length });
  }
}
`,
  'src/resources.ts': `import pulumi = require('@pulumi/pulumi');

export class Lot extends pulumi.CustomResource {
  declare readonly result: pulumi.Output<string>;
  constructor(name: string, args: { length: number; keepers: object }, opts?: pulumi.CustomResourceOptions) {
    super('cairn-random:index:Pet', name, { result: undefined, ...args }, opts);
  }
}
export class Folder extends pulumi.CustomResource {
  constructor(name: string, args: { path: pulumi.Input<string> }, opts?: pulumi.CustomResourceOptions) {
    super('cairn-local:index:Directory', name, args, opts);
  }
}
export class Entry extends pulumi.CustomResource {
  declare readonly path: pulumi.Output<string>;
  declare readonly size: pulumi.Output<number>;
  declare readonly hash: pulumi.Output<string>;
  constructor(name: string, args: { path: string; content: pulumi.Input<string> }, opts?: pulumi.CustomResourceOptions) {
    super('cairn-local:index:File', name, { size: undefined, hash: undefined, ...args }, opts);
  }
}
`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ target: 'ES2022', module: 'CommonJS', moduleResolution: 'Node10', strict: true },
      ...{ noEmit: true, skipLibCheck: true, types: ['node'] },
    },
    include: ['src/*.ts'],
  }),
};

const file = (name: string) => readFileSync(path.join(box.directory, name), 'utf8');

/** Returns the state's entry of each resource. Their order is not compared: steps run at the same time. */
async function resources(): Promise<readonly unknown[]> {
  const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as {
    deployment: { resources: readonly Record<string, unknown>[] };
  };
  const byUrn = [...deployment.resources].sort((a, b) => (String(a['urn']) < String(b['urn']) ? -1 : 1));
  return byUrn.map(({ urn, id, inputs, outputs, parent, dependencies }) => {
    // Each encryption of a secret is another text.
    const plain = (value: unknown) =>
      JSON.stringify(value)?.replaceAll(/"ciphertext":"[^"]*"/g, '"ciphertext"');
    return { urn, id, inputs: plain(inputs), outputs: plain(outputs), parent, dependencies };
  });
}

test('a project is migrated by the command, and finds all that it made before unchanged', async () => {
  box = sandbox(PROJECT, { projectFile: false });
  expect(expectOk(await box.cairn(['up', '--yes', '--skip-preview'])).stdout).toContain('8 created');
  const made = await resources();
  const outputs = expectOk(await box.cairn(['stack', 'output', '--json'])).stdout;

  const preview = expectOk(await box.cairn(['migrate', 'sdk', '--preview']));
  expect(preview.stdout).toContain("+import * as pulumi from '@cairn/sdk';");
  expect(preview.stderr).toContain('4 files would change; nothing is left to change by hand');
  for (const [name, text] of Object.entries(PROJECT)) expect([name, file(name)]).toEqual([name, text]);

  expect(expectOk(await box.cairn(['migrate', 'sdk'])).stderr).toContain(
    '4 files changed; nothing is left to change by hand',
  );
  const changed = Object.entries(PROJECT).filter(([name, text]) => file(name) !== text);
  expect(changed.map(([name]) => name)).toEqual([
    'package.json',
    'src/index.ts',
    'src/shelf.ts',
    'src/resources.ts',
  ]);
  for (const [name] of changed)
    expect([name, file(name)]).toEqual([name, expect.not.stringContaining('@pulumi')]);

  const again = expectOk(await box.cairn(['preview', '--diff', '--expect-no-changes']));
  expect(again.stdout).toContain('8 unchanged');
  expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-changes']));
  expect(await resources()).toEqual(made);
  expect(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout).toBe(outputs);

  const once = expectOk(await box.cairn(['migrate', 'sdk']));
  expect(once.stderr).toContain('0 files changed; nothing is left to change by hand');
  expect(expectOk(await box.cairn(['destroy', '--yes', '--skip-preview'])).stdout).toContain('7 deleted');
});

test('dynamic providers are left to a person, by file and line', async () => {
  box = sandbox({ 'package.json': '{}' }, { projectFile: false });
  const example = path.resolve(__dirname, '..', '..', 'examples', 'pulumi-program');
  for (const name of ['index.ts', 'record.ts', 'shelf.ts', 'package.json', 'Pulumi.yaml', 'tsconfig.json'])
    cpSync(path.join(example, name), path.join(box.directory, name));
  const line = (text: string) =>
    file('record.ts')
      .split('\n')
      .findIndex((each) => each.includes(text)) + 1;
  const [typed, made] = [line('pulumi.dynamic.ResourceProvider'), line('extends pulumi.dynamic.Resource')];
  const { stderr } = expectOk(await box.cairn(['migrate', 'sdk']));
  expect(stderr).toContain(`record.ts:${typed}: dynamic:`);
  expect(stderr).toContain(`record.ts:${made}: dynamic:`);
  expect(stderr).toContain('3 files changed; 2 to change by hand, listed above');
  expect(JSON.parse(file('package.json'))).toMatchObject({
    dependencies: { '@cairn/sdk': '^0.1.0', '@pulumi/pulumi': expect.any(String) as string },
  });
  expect(file('record.ts')).toBe(readFileSync(path.join(example, 'record.ts'), 'utf8'));
});
