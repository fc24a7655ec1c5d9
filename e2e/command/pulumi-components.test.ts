import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * A provider written on the real `@pulumi/pulumi` (its provider server, started as a plugin of the project) with a
 * remote component, a method and a function; and a program on the same SDK that uses them. References to resources
 * whose classes that SDK does not know are ids there, or URNs when there is no id.
 */

const PROVIDER = `
const pulumi = require('@pulumi/pulumi');
const { Stash } = pulumi;
class Pair extends pulumi.ComponentResource {
  constructor(name, inputs, options) {
    super('comp:index:Pair', name, {}, options);
    this.first = new Stash(name + '-first', { input: inputs.text }, { parent: this });
    this.second = new Stash(name + '-second', { input: inputs.hidden }, { parent: this, dependsOn: [this.first] });
    this.registerOutputs({ text: this.first.output, hidden: this.second.output });
  }
}
const provider = {
  version: '1.2.3',
  schema: JSON.stringify({ name: 'comp', version: '1.2.3' }),
  async construct(name, type, inputs, options) {
    if (type !== 'comp:index:Pair') throw new Error('unknown component ' + type);
    const pair = new Pair(name, inputs, options);
    return { urn: pair.urn, state: { text: pair.first.output, hidden: pair.second.output, inner: pair.first } };
  },
  async call(token, inputs) {
    const self = inputs.__self__;
    return { outputs: { greeting: pulumi.interpolate\`\${inputs.word}, \${inputs.name}\`, self } };
  },
  async invoke(token, inputs) {
    if (inputs.text === 'refuse') return { failures: [{ property: 'text', reason: 'cannot be "refuse"' }] };
    return { outputs: { upper: inputs.text.toUpperCase(), token } };
  },
};
pulumi.provider.main(provider, process.argv.slice(2));
`;

const PROGRAM = `
const pulumi = require('@pulumi/pulumi');
const config = new pulumi.Config();
class Pair extends pulumi.ComponentResource {
  constructor(name, inputs, options) {
    super('comp:index:Pair', name, { ...inputs, hidden: inputs.hidden, text: inputs.text, inner: undefined }, options, true);
  }
}
const outer = new (class extends pulumi.ComponentResource {
  constructor() { super('test:index:Outer', 'outer'); }
})();
const seed = new pulumi.Stash('seed', { input: 'seed' });
const pair = new Pair('pair', { text: seed.output, hidden: pulumi.secret('planted-pair') }, { parent: outer, protect: config.getBoolean('protect') });
const greeting = pulumi.runtime.call('comp:index:Pair/greet', { __self__: pair, word: 'Hello', name: pair.text }, pair);
const upper = pulumi.runtime.invokeOutput('comp:index:upper', { text: pair.text }, { dependsOn: [pair] });
exports.text = pair.text;
exports.hidden = pair.hidden;
exports.greeting = greeting.greeting;
exports.self = greeting.self;
exports.upper = upper.upper;
exports.inner = pair.inner;
if (config.getBoolean('refuse')) exports.refused = pulumi.runtime.invokeOutput('comp:index:upper', { text: 'refuse' });
`;

describe('a provider on @pulumi/pulumi with components, methods and functions', () => {
  let box: Sandbox;
  const names = async (): Promise<readonly string[]> => {
    const { stdout } = expectOk(await box.cairn(['stack', 'export']));
    const { deployment } = JSON.parse(stdout) as { deployment: { resources?: { urn: string }[] } };
    return (deployment.resources ?? []).map(({ urn }) => urn.split('::').slice(2).join(' '));
  };

  beforeAll(async () => {
    box = sandbox(
      {
        'Pulumi.yaml':
          'name: components\nruntime: nodejs\nplugins:\n  providers:\n    - name: comp\n      path: ./comp\n',
        'package.json': JSON.stringify({
          name: 'components',
          main: 'index.js',
          dependencies: { '@pulumi/pulumi': '*' },
        }),
        'index.js': PROGRAM,
        'comp/PulumiPlugin.yaml': 'runtime: nodejs\n',
        'comp/package.json': JSON.stringify({
          name: 'comp',
          main: 'index.js',
          dependencies: { '@pulumi/pulumi': '*' },
        }),
        'comp/index.js': PROVIDER,
      },
      { projectFile: false },
    );
    giveStack(box);
  });
  afterAll(() => box.remove());

  test('preview: outputs of what is not there yet are unknown, and nothing is made', async () => {
    const { stdout } = expectOk(await box.cairn(['preview']));
    expect(stdout).toMatch(/pair/);
    expect(await names()).toEqual([]);
  });

  test('up: the component registers its children itself; its outputs, the method and the function answer', async () => {
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    const { stdout } = expectOk(await box.cairn(['stack', 'output', '--json', '--show-secrets']));
    expect(JSON.parse(stdout)).toMatchObject({
      text: 'seed',
      hidden: 'planted-pair',
      greeting: 'Hello, seed',
      self: 'urn:pulumi:dev::components::test:index:Outer$comp:index:Pair::pair',
      upper: 'SEED',
      inner: expect.stringMatching(/^[\da-f-]{36}$/) as unknown,
    });
    expect(await names()).toEqual(
      expect.arrayContaining([
        'test:index:Outer outer',
        'test:index:Outer$comp:index:Pair pair',
        'test:index:Outer$comp:index:Pair$pulumi:index:Stash pair-second',
      ]),
    );
  });

  test('what was secret stays secret through the component', async () => {
    const { stdout } = expectOk(await box.cairn(['stack', 'output', '--json']));
    expect(JSON.parse(stdout)).toMatchObject({ hidden: '[secret]' });
    const exported = expectOk(await box.cairn(['stack', 'export']));
    expect(exported.stdout).not.toContain('planted-pair');
  });

  test('a second up changes nothing', async () => {
    const { stdout } = expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(stdout).toMatch(/unchanged/);
    expect(stdout).not.toMatch(/created|updated|deleted/);
  });

  test('options of the component reach its children', async () => {
    expectOk(await box.cairn(['config', 'set', 'protect', 'true']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    const end = await box.cairn(['destroy', '--yes', '--skip-preview']);
    expect(end.code).not.toBe(0);
    expect(end.text).toContain('protected');
    expectOk(await box.cairn(['config', 'set', 'protect', 'false']));
  });

  test('a function that refuses its input fails the program and says which input', async () => {
    expectOk(await box.cairn(['config', 'set', 'refuse', 'true']));
    const end = await box.cairn(['up', '--yes', '--skip-preview']);
    expect(end.code).not.toBe(0);
    expect(end.text).toContain('cannot be "refuse"');
    expectOk(await box.cairn(['config', 'rm', 'refuse']));
  });

  test('destroy takes the component and its children down', async () => {
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
    expect(await names()).toEqual([]);
  });
});
