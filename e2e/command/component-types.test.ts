import { expectOk, sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Components whose schema comes from their TypeScript types: from the declarations of a built package to a typed
 * package of a program, which passes a component of one to the other as an output.
 */

const SITE = `
import { ComponentResource, Stash, interpolate, output } from '@cairn/sdk';
export class Inner extends ComponentResource {
  constructor(name, args, options) {
    super('sites:index:Inner', name, {}, options);
    this.text = new Stash(name + '-stash', { input: args.text }, { parent: this }).output;
    this.registerOutputs({ text: this.text });
  }
}
export class Site extends ComponentResource {
  constructor(name, args, options) {
    super('sites:index:Site', name, {}, options);
    const text = interpolate\`\${args.style} \${args.title} \${output(args.rules).apply((rules) => rules.map((r) => r.from).join('+'))}\`;
    this.inner = new Inner(name + '-inner', { text }, { parent: this });
    this.registerOutputs({ inner: this.inner });
  }
}`;

const TYPES = `
import { ComponentResource, ComponentResourceOptions, Input, Output } from '@cairn/sdk';
export declare enum Style { Plain = 'plain', Loud = 'loud' }
export interface Rule { from: Input<string> }
export interface SiteArgs {
  /** The title of the page. */
  title: Input<string>;
  style: Input<Style>;
  rules: Input<Input<Rule>[]>;
}
/** The inside of a site. */
export declare class Inner extends ComponentResource {
  readonly text: Output<string>;
  constructor(name: string, args: { text: Input<string> }, options?: ComponentResourceOptions);
}
/** A site. */
export declare class Site extends ComponentResource {
  readonly inner: Inner;
  constructor(name: string, args: SiteArgs, options?: ComponentResourceOptions);
}`;

const PROGRAM = `
import { Inner, Site, Style } from '@cairn-sdks/sites';
import { output } from '@cairn/sdk';
const site = new Site('front', { title: 'Hello', style: Style.Loud, rules: [{ from: 'a' }, { from: output('b') }] });
export const text = site.inner.text;
export const isInner = site.inner.apply((it) => it instanceof Inner);
`;

test('a class, its types and its comments become a typed package that programs use', async () => {
  const box = sandbox({
    'node_modules/sites/package.json': JSON.stringify({
      ...{ name: 'sites', version: '1.0.0', type: 'module' },
      cairn: { provider: { name: 'sites', module: './provider.js' } },
    }),
    'node_modules/sites/site.js': SITE,
    'node_modules/sites/site.d.ts': TYPES,
    'node_modules/sites/provider.js': `
import { defineProvider, toProvider } from '@cairn/provider-sdk';
import { componentsOf } from '@cairn/provider-sdk/component-types';
import * as site from './site.js';
const components = componentsOf(import.meta.resolve('./site.js'), site);
export default () => toProvider(defineProvider({ name: 'sites', version: '1.0.0', resources: {}, components }));`,
    'package.json': JSON.stringify({
      ...{ name: 'shop', private: true, type: 'module' },
      dependencies: { '@cairn/sdk': '*', sites: '*' },
    }),
    'index.ts': PROGRAM,
  });
  try {
    expectOk(await box.cairn(['package', 'add', 'sites']));
    const schema = JSON.parse(expectOk(await box.cairn(['package', 'get-schema', 'sites'])).stdout) as {
      readonly resources: Readonly<
        Record<string, { readonly inputProperties: object; readonly description: string }>
      >;
    };
    expect(schema.resources['sites:index:Site']).toMatchObject({
      description: 'A site.',
      inputProperties: {
        title: { type: 'string', description: 'The title of the page.' },
        style: { $ref: '#/types/sites:index:Style' },
        rules: { type: 'array', items: { $ref: '#/types/sites:index:Rule' } },
      },
    });
    giveStack(box);
    expectOk(await box.cairn(['preview']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    const outputs = expectOk(await box.cairn(['stack', 'output', '--json'])).stdout;
    expect(JSON.parse(outputs)).toEqual({ text: 'loud Hello a+b', isInner: true });
    box.write('index.ts', PROGRAM.replace('Style.Loud', "'shy' as never"));
    const refused = await box.cairn(['up', '--yes', '--skip-preview']);
    expect([refused.code === 0, refused.text]).toEqual([
      false,
      expect.stringMatching(/style.*must be one of "plain", "loud"|must be one of "plain", "loud".*style/s),
    ]);
  } finally {
    box.remove();
  }
});
