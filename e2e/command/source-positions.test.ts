import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

/** Types come first, so that lines and columns differ between a source and its compiled form. */
const part = (sdk: string, child: string, imports = '') => `import * as pulumi from '${sdk}';
${imports}
interface Unused { a: string }

export class Part extends pulumi.ComponentResource {
  public readonly text!: pulumi.Output<string>;
  constructor(name: string) {
    super('test:index:Part', name, {});
    new ${child}, { parent: this });
  }
}
`;

const INDEX = `import { Part } from './lib/part.js';
type Text = string;

function make(name: Text): Part {
  return new Part(name);
}
export const made = make('part').urn;
`;

const pulumiPart = part('@pulumi/pulumi', `pulumi.Stash('child', { input: 'x' }`);
const cairnPart = part(
  '@cairn/sdk',
  `RandomPet('child', {}`,
  `import { RandomPet } from '@cairn/provider-random';`,
);

const manifest = (type: string, main: string, ...packages: string[]) =>
  JSON.stringify({
    name: 'shop',
    type,
    main,
    dependencies: Object.fromEntries(packages.map((name) => [name, '*'])),
  });

interface Entry {
  readonly urn: string;
  readonly sourcePosition?: string;
  readonly stackTrace?: readonly { readonly sourcePosition?: string }[];
}

async function positions(box: Sandbox): Promise<ReadonlyMap<string, Entry>> {
  giveStack(box);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  const { stdout } = expectOk(await box.cairn(['stack', 'export']));
  const { deployment } = JSON.parse(stdout) as { deployment: { resources: readonly Entry[] } };
  return new Map(deployment.resources.map((entry) => [entry.urn.split('::').at(-1) as string, entry]));
}

test.each<[string, Record<string, string>, boolean]>([
  [
    '@pulumi/pulumi, CommonJS',
    { 'package.json': manifest('commonjs', 'index.ts', '@pulumi/pulumi'), 'lib/part.ts': pulumiPart },
    true,
  ],
  [
    '@pulumi/pulumi, ES modules',
    { 'package.json': manifest('module', 'index.ts', '@pulumi/pulumi'), 'lib/part.ts': pulumiPart },
    true,
  ],
  [
    '@pulumi/pulumi, compiled beforehand',
    { 'package.json': manifest('commonjs', 'bin/index.js', '@pulumi/pulumi'), 'lib/part.ts': pulumiPart },
    true,
  ],
  [
    '@cairn/sdk, CommonJS',
    {
      'package.json': manifest('commonjs', 'index.ts', '@cairn/sdk', '@cairn/provider-random'),
      'lib/part.ts': cairnPart,
    },
    false,
  ],
  [
    '@cairn/sdk, ES modules',
    {
      'package.json': manifest('module', 'index.ts', '@cairn/sdk', '@cairn/provider-random'),
      'lib/part.ts': cairnPart,
    },
    false,
  ],
])('source positions and stack traces name the sources: %s', async (title, files, traces) => {
  const box = sandbox({ 'Cairn.yaml': 'name: shop\nruntime: nodejs\n', 'index.ts': INDEX, ...files });
  boxes.push(box);
  if (title.endsWith('beforehand'))
    buildSync({
      entryPoints: ['index.ts', 'lib/part.ts'].map((file) => path.join(box.directory, file)),
      outdir: path.join(box.directory, 'bin'),
      outbase: box.directory,
      format: 'cjs',
      target: 'es2020',
      sourcemap: true,
      logLevel: 'silent',
      tsconfigRaw: { compilerOptions: { target: 'ES2020' } },
    });
  const entries = await positions(box);
  expect(entries.get('part')?.sourcePosition).toBe('project:///index.ts#5,10');
  expect(entries.get('child')?.sourcePosition).toMatch(/^project:\/\/\/lib\/part\.ts#9,(5|9)$/);
  if (traces)
    expect(entries.get('child')?.stackTrace?.slice(0, 2)).toEqual([
      { sourcePosition: 'project:///lib/part.ts#9,5' },
      { sourcePosition: 'project:///index.ts#5,10' },
    ]);
  for (const { sourcePosition, stackTrace = [] } of entries.values())
    for (const place of [sourcePosition, ...stackTrace.map((frame) => frame.sourcePosition)])
      expect(place ?? '').not.toMatch(/file:|language-node|\/bin\//);
  expect(readFileSync(path.join(box.state, '.pulumi/stacks/shop/dev.json'), 'utf8')).not.toContain(
    'language-node',
  );
});
