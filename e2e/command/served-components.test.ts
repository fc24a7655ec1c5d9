import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** A package whose component class is served to every program: a folder with a page, and a method. */
const PROVIDER = `
import { AsyncResource } from 'node:async_hooks';
import { ComponentResource, InputPropertyError, interpolate, output } from '@cairn/sdk';
import { LocalDirectory, LocalFile } from '@cairn/provider-local';
import { defineComponent, defineComponentMethod, defineProvider, s } from '@cairn/provider-sdk';

let late = () => {};
class Site extends ComponentResource {
  constructor(name, args, options) {
    super('sites:index:Site', name, {}, options);
    if (args.folder === '/') throw new InputPropertyError({ propertyPath: 'folder', reason: 'is the root' });
    if (args.folder === 'broken') throw new Error('the site is closed');
    const parent = { parent: this };
    const folder = new LocalDirectory(name + '-folder', { path: args.folder }, parent);
    const page = new LocalFile(
      name + '-page',
      { path: interpolate\`\${folder.path}/\${args.file}\`, content: interpolate\`<h1>\${args.title}</h1>\` },
      parent,
    );
    if (args.folder.endsWith('late')) late = AsyncResource.bind(() => void Promise.reject(new Error('too late for anybody')));
    if (args.folder !== 'silent') this.registerOutputs({ page: page.path, title: output(args.title).apply((t) => t.toUpperCase()) });
  }
}

export const definition = defineProvider({
  name: 'sites',
  version: '1.0.0',
  resources: {},
  components: {
    'index:Site': defineComponent({
      inputs: { folder: s.string(), title: s.string(), file: s.string().default('index.html') },
      outputs: { page: s.string(), title: s.string() },
      create: (name, args, options) => new Site(name, args, options),
      methods: {
        link: defineComponentMethod({
          inputs: { to: s.string() },
          outputs: { html: s.string() },
          call: async ({ urn }, { to }) => (late(), await new Promise(setImmediate), { html: '<a href="' + to + '">' + urn.split('::').pop() + '</a>' }),
        }),
      },
    }),
  },
});
`;

const PACKAGE = {
  'node_modules/sites/package.json': JSON.stringify({
    name: 'sites',
    version: '1.0.0',
    type: 'module',
    cairn: { provider: { name: 'sites', module: './provider.js' } },
    bin: { 'pulumi-resource-sites': './plugin.js' },
    pulumi: { resource: true, name: 'sites', version: '1.0.0' },
  }),
  'node_modules/sites/definition.js': PROVIDER,
  'node_modules/sites/provider.js': `import { toProvider } from '@cairn/provider-sdk';
import { definition } from './definition.js';
export default () => toProvider(definition);`,
  'node_modules/sites/plugin.js': `#!/usr/bin/env node
import { main } from '@cairn/provider-sdk/plugin';
import { definition } from './definition.js';
await main(definition);`,
};

const dependencies = {
  '@cairn/sdk': '*',
  '@cairn/provider-local': '*',
  '@cairn/provider-random': '*',
  sites: '*',
};

const ours = (args: string, type = 'sites:index:Site'): string => `
import { ComponentResource, call, secret } from '@cairn/sdk';
import { RandomPet } from '@cairn/provider-random';
const pet = new RandomPet('pet', { length: 1 });
const site = new ComponentResource('${type}', 'front', { ${args} }, { protect: false }, true);
export const page = site.outputOf('page');
export const title = site.outputOf('title');
export const html = call('sites:index:Site/link', { to: site.outputOf('page') }, site).apply(({ html }) => html);
void secret;
`;

describe.each([
  ['in the engine’s process', undefined],
  ['as a plugin process', '1'],
])('a component that is served %s', (_title, out) => {
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox({
      ...PACKAGE,
      'package.json': JSON.stringify({ name: 'shop', private: true, type: 'module', dependencies }),
      'index.ts': ours("folder: 'out', title: pet.result"),
    });
    if (out !== undefined) box.env['CAIRN_PROVIDERS_OUT_OF_PROCESS'] = out;
    giveStack(box);
  });
  afterAll(() => box.remove());
  const outputs = async (): Promise<Record<string, string>> =>
    JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json', '--show-secrets'])).stdout) as never;
  const failing = async (program: string): Promise<string> => {
    box.write('index.ts', program);
    const { code, text } = await box.cairn(['up', '--yes', '--skip-preview']);
    expect(code).not.toBe(0);
    return text;
  };

  test('is made with its children below it, previewed, and has outputs and methods', async () => {
    const preview = expectOk(await box.cairn(['preview'])).text;
    expect(preview).toMatch(/sites:index:Site front/);
    expect(preview).toMatch(/cairn-local:index:File front-page/);
    expect(existsSync(path.join(box.directory, 'out'))).toBe(false);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    const { page, title, html } = await outputs();
    expect([page, html]).toEqual(['out/index.html', '<a href="out/index.html">front</a>']);
    expect(title).toMatch(/^[A-Z]+$/);
    expect(readFileSync(path.join(box.directory, 'out/index.html'), 'utf8')).toBe(
      `<h1>${title?.toLowerCase()}</h1>`,
    );
    const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as {
      deployment: { resources: readonly { urn: string; parent?: string; type: string }[] };
    };
    const site = deployment.resources.find(({ type }) => type === 'sites:index:Site');
    const below = deployment.resources.filter(({ parent }) => parent === site?.urn);
    expect(below.map(({ type }) => type).sort()).toEqual([
      'cairn-local:index:Directory',
      'cairn-local:index:File',
    ]);
    expectOk(await box.cairn(['up', '--yes', '--expect-no-changes']));
  });

  test('a secret argument stays one in what is made of it', async () => {
    box.write('index.ts', ours("folder: 'out', title: secret('hunter2')"));
    expect(expectOk(await box.cairn(['up', '--yes'])).text).not.toContain('hunter2');
    expect(await outputs()).toMatchObject({ title: 'HUNTER2' });
    expect(expectOk(await box.cairn(['stack', 'export'])).stdout).not.toMatch(/hunter2/i);
  });

  test.each([
    ["folder: 'out'", /title.*is required|is required.*title/s],
    [
      "folder: 'out', title: 't', colour: 'red'",
      /colour.*there is no such property|there is no such property.*colour/s,
    ],
    ["folder: '/', title: 't'", /folder.*is the root|is the root.*folder/s],
    ["folder: 'broken', title: 't'", /front \[sites:index:Site\].*the site is closed/s],
    ["folder: 'silent', title: 't'", /has not registered its outputs page, title/],
  ])('a mistake is told: %s', async (args, expected) => {
    expect(await failing(ours(args))).toMatch(expected);
  });

  test('what fails in its process after its answer, when nobody listens any more, is nobody else\u2019s failure', async () => {
    box.write('index.ts', ours("folder: 'out-late', title: 't'"));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect((await outputs())['html']).toMatch(/front<\/a>$/);
    expect(existsSync(path.join(box.directory, 'out-late'))).toBe(true);
  });

  test('a component that the package does not have is named with those that it has', async () => {
    const text = await failing(ours("folder: 'out', title: 't'", 'sites:index:Sight'));
    expect(text).toContain('package sites has no component sites:index:Sight; it has sites:index:Site');
  });

  test('destroy takes everything away, and no process is left', async () => {
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
    expect(existsSync(path.join(box.directory, 'out'))).toBe(false);
    const running = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout;
    expect(running.split('\n').filter((line) => line.includes(box.directory))).toEqual([]);
  });
});

test('a program on @pulumi/pulumi uses it as any other remote component', async () => {
  const box = sandbox(
    {
      ...PACKAGE,
      'Pulumi.yaml': 'name: shop\nruntime: nodejs\n',
      'package.json': JSON.stringify({
        name: 'shop',
        main: 'index.js',
        dependencies: { ...dependencies, '@pulumi/pulumi': '*' },
      }),
      'index.js': `
const pulumi = require('@pulumi/pulumi');
class Site extends pulumi.ComponentResource {
  constructor(name, args, opts) {
    super('sites:index:Site', name, { ...args, page: undefined }, opts, true);
  }
}
const top = new pulumi.ComponentResource('shop:index:Top', 'top');
const site = new Site('front', { folder: 'out', title: pulumi.output('hello') }, { parent: top, dependsOn: [top] });
exports.page = site.page;
`,
    },
    { projectFile: false },
  );
  try {
    giveStack(box);
    expectOk(await box.cairn(['up', '--yes']));
    expect(expectOk(await box.cairn(['stack', 'output', 'page'])).stdout.trim()).toBe('out/index.html');
    const { stdout } = expectOk(await box.cairn(['stack', 'export']));
    expect(stdout).toContain('shop:index:Top$sites:index:Site$cairn-local:index:File::front-page');
  } finally {
    box.remove();
  }
});
