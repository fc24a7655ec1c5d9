import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * A plugin of several TypeScript sources that are ES modules, without a step that compiles them: its runner requires
 * its folder, and nothing says what its imports mean. The real host finds none of these sources.
 */

const PROGRAM = `
const pulumi = require('@pulumi/pulumi');
class Pair extends pulumi.ComponentResource {
  constructor(name, inputs) {
    super('comp:index:Pair', name, { ...inputs, text: undefined, from: undefined, late: undefined }, {}, true);
  }
}
const pair = new Pair('pair', { word: 'hi' });
exports.text = pair.text;
exports.from = pair.from;
exports.late = pair.late;
`;

/** A component in sources below the entry point, which import one another by `ending`. */
const sources = (ending: string): Record<string, string> => ({
  'comp/index.ts': `export { Pair } from './lib/pair${ending}';`,
  'comp/lib/pair.ts': `
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as pulumi from '@pulumi/pulumi';
import { shout } from './shout${ending}';
import { mark } from './plain.js';
export interface PairArgs { word: pulumi.Input<string>; }
export class Pair extends pulumi.ComponentResource {
  public readonly text: pulumi.Output<string>;
  public readonly from: pulumi.Output<string>;
  public readonly late: pulumi.Output<string>;
  constructor(name: string, args: PairArgs, opts?: pulumi.ComponentResourceOptions) {
    super('comp:index:Pair', name, args, opts);
    this.text = pulumi.output(args.word).apply((word) => shout(word) + mark);
    this.from = pulumi.output(path.basename(path.dirname(fileURLToPath(import.meta.url))));
    this.late = pulumi.output(import('./late.js').then(({ late }) => late));
    this.registerOutputs({ text: this.text, from: this.from, late: this.late });
  }
}
`,
  'comp/lib/shout.ts': 'export const shout = (word: string): string => word.toUpperCase();\n',
  'comp/lib/plain.js': "export const mark = '!';\n",
  'comp/lib/late.ts': "export const late: string = 'loaded late';\n",
});

let box: Sandbox | undefined;
afterEach(() => box?.remove());

test.each(['.js', '.ts', ''])('sources that import one another with the ending "%s"', async (ending) => {
  box = sandbox(
    {
      'Pulumi.yaml': 'name: shop\nruntime: nodejs\nplugins: { providers: [{ name: comp, path: ./comp }] }\n',
      'package.json': JSON.stringify({
        name: 'shop',
        main: 'index.js',
        dependencies: { '@pulumi/pulumi': '*' },
      }),
      'index.js': PROGRAM,
      'comp/PulumiPlugin.yaml': 'runtime: nodejs\n',
      'comp/package.json': JSON.stringify({
        name: 'comp',
        version: '1.0.0',
        type: 'module',
        main: 'index.ts',
        dependencies: { '@pulumi/pulumi': '*' },
      }),
      ...sources(ending),
    },
    { projectFile: false },
  );
  giveStack(box);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  const { stdout } = expectOk(await box.cairn(['stack', 'output', '--json']));
  expect(JSON.parse(stdout)).toEqual({ text: 'HI!', from: 'lib', late: 'loaded late' });
});
