import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * A provider that offers a method on its own provider resource, as \`new random.Provider('p').terraformConfig()\` is:
 * the receiver is the provider that answers, in a preview one that has no id yet.
 */
const PROVIDER = `
const pulumi = require('@pulumi/pulumi');
const settings = {};
const provider = {
  version: '1.0.0',
  schema: JSON.stringify({ name: 'acme', version: '1.0.0' }),
  async checkConfig(req) { return { inputs: req.news ?? req }; },
  async configure(req) { Object.assign(settings, req.args ?? req.variables ?? req); return {}; },
  async call(token, inputs) {
    return { outputs: { token, region: pulumi.output(process.pid).apply(() => 'answered'), suffix: inputs.suffix } };
  },
};
pulumi.provider.main(provider, process.argv.slice(2));
`;

const PROGRAM = `
const pulumi = require('@pulumi/pulumi');
class Provider extends pulumi.ProviderResource {
  constructor(name, args, opts) { super('acme', name, args, opts); }
  describe(suffix) {
    return pulumi.runtime.call('pulumi:providers:acme/describe', { __self__: this, suffix }, this);
  }
}
const round = new pulumi.Config().get('round') ?? '1';
const first = new Provider('first', { region: round });
const second = new Provider('second', {}, { provider: first });
exports.first = first.describe('a').apply((all) => all.region + ' ' + all.suffix + ' ' + all.token);
exports.second = second.describe('b').apply((all) => all.region + ' ' + all.suffix);
`;

describe('methods of provider resources', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox(
      {
        'Pulumi.yaml':
          'name: methods\nruntime: nodejs\nplugins:\n  providers:\n    - name: acme\n      path: ./acme\n',
        'package.json': JSON.stringify({
          name: 'methods',
          main: 'index.js',
          dependencies: { '@pulumi/pulumi': '*' },
        }),
        'index.js': PROGRAM,
        'acme/PulumiPlugin.yaml': 'runtime: nodejs\n',
        'acme/package.json': JSON.stringify({
          name: 'acme',
          main: 'index.js',
          dependencies: { '@pulumi/pulumi': '*' },
        }),
        'acme/index.js': PROVIDER,
      },
      { projectFile: false },
    );
    giveStack(box);
  });
  afterAll(() => box.remove());

  const answers = (text: string): void => {
    expect(text).toMatch(/first"? *: "answered a pulumi:providers:acme\/describe"/);
    expect(text).toMatch(/second"? *: "answered b"/);
  };

  test('in a preview before the provider exists, in the update, and once it changes', async () => {
    answers(expectOk(await box.cairn(['preview'])).stdout);
    answers(expectOk(await box.cairn(['up', '--yes', '--skip-preview'])).stdout);
    // The text of a preview has only outputs that change.
    answers(expectOk(await box.cairn(['preview', '--config', 'round=2', '--json'])).stdout);
    expectOk(await box.cairn(['destroy', '--yes']));
  });
});
