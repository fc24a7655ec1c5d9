import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

/** Classes as they are written everywhere: fields of outputs are only declared, the base class sets them. */
const PULUMI_THING = `
import * as pulumi from '@pulumi/pulumi';
class Naming {
  static separator = '-';
  readonly prefix!: string;
  suffix = 'end';
  constructor(readonly middle: string) { Object.assign(this, { prefix: 'start' }); }
  name(): string { return [this.prefix, this.middle, this.suffix].join(Naming.separator); }
}
class Provider implements pulumi.dynamic.ResourceProvider {
  private readonly kind!: string;
  private log = process.env.THING_LOG;
  constructor(private readonly naming: Naming) { Object.defineProperty(this, 'kind', { value: 'thing', enumerable: true }); }
  async create(inputs: { size: number }) {
    (process as any).getBuiltinModule('fs').appendFileSync(process.env.THING_LOG!, 'create ' + this.naming.name() + ' ' + this.kind + '\\n');
    return { id: this.naming.name(), outs: { ...inputs, token: 'token of ' + this.naming.name() } };
  }
}
export class Thing extends pulumi.dynamic.Resource {
  public readonly token!: pulumi.Output<string>;
  public readonly size!: pulumi.Output<number>;
  constructor(name: string, opts?: pulumi.CustomResourceOptions) {
    super(new Provider(new Naming(name)), name, { size: 1, token: undefined }, opts);
  }
}`;

const PULUMI_GROUP = (thing: string) => `
import * as pulumi from '@pulumi/pulumi';
import { Thing } from '${thing}';
export class Group extends pulumi.ComponentResource {
  public readonly token!: pulumi.Output<string>;
  constructor(name: string) {
    super('test:index:Group', name, {});
    this.token = new Thing(name + '-child', { parent: this }).token;
    this.registerOutputs({ token: this.token });
  }
}`;

const PULUMI_INDEX = (thing: string, group: string) => `
import { Thing } from '${thing}';
import { Group } from '${group}';
const thing = new Thing('first');
export const token = thing.token;
export const next = thing.size.apply((size) => size + 1);
export const nested = new Group('group').token;
`;

const expectedOfPulumi = {
  token: 'token of start-first-end',
  next: 2,
  nested: 'token of start-group-child-end',
};

const CAIRN_INDEX = (pets: string) => `
import { Pets } from '${pets}';
const pets = new Pets('pets');
export const same = pets.name.apply((name) => name.length > 0);
export const count = pets.list.apply((list) => list.length);
`;

const CAIRN_PETS = `
import { ComponentResource } from '@cairn/sdk';
import type { Output } from '@cairn/sdk';
import { RandomPet } from '@cairn/provider-random';
class Named extends ComponentResource {
  public readonly name!: Output<string>;
  protected take(outputs: object): void { Object.assign(this, outputs); }
  constructor(type: string, name: string) {
    super(type, name);
    const pet = new RandomPet(name, {}, { parent: this });
    this.take({ name: pet.result, list: pet.result.apply((text) => [text]) });
  }
}
export class Pets extends Named {
  public readonly name!: Output<string>;
  public readonly list!: Output<string[]>;
  constructor(name: string) {
    super('test:index:Pets', name);
    this.registerOutputs({ name: this.name });
  }
}`;

const pulumiPackage = (type: string) =>
  JSON.stringify({ name: 'shop', type, dependencies: { '@pulumi/pulumi': '*' } });

const cairnPackage = (type: string) =>
  JSON.stringify({ name: 'shop', type, dependencies: { '@cairn/sdk': '*', '@cairn/provider-random': '*' } });

/** A provider of a component whose child is read by a field that is only declared. */
const PULUMI_PLUGIN = `
import * as pulumi from '@pulumi/pulumi';
class Kept extends pulumi.CustomResource {
  public readonly output!: pulumi.Output<string>;
  constructor(name: string, text: pulumi.Input<string>, options: pulumi.CustomResourceOptions) {
    super('pulumi:index:Stash', name, { input: text, output: undefined }, options);
  }
}
export interface PairArgs { text: pulumi.Input<string>; }
export class Pair extends pulumi.ComponentResource {
  public readonly token: pulumi.Output<string>;
  constructor(name: string, args: PairArgs, options?: pulumi.ComponentResourceOptions) {
    super('comp:index:Pair', name, {}, options);
    this.token = new Kept(name + '-child', args.text, { parent: this }).output;
    this.registerOutputs({ token: this.token });
  }
}`;

const PULUMI_USER = `
import * as pulumi from '@pulumi/pulumi';
class Pair extends pulumi.ComponentResource {
  declare public readonly token: pulumi.Output<string>;
  constructor(name: string, text: string) { super('comp:index:Pair', name, { text, token: undefined }, {}, true); }
}
export const token = new Pair('pair', 'token of the pair').token;
`;

const RESETS = JSON.stringify({ compilerOptions: { target: 'ES2022', module: 'nodenext', strict: true } });

const NAMES = JSON.stringify({ compilerOptions: { strict: true, paths: { '@parts/*': ['./parts/*'] } } });

test.each<[string, Record<string, string>, object]>([
  [
    '@pulumi/pulumi, CommonJS, no tsconfig',
    {
      'package.json': pulumiPackage('commonjs'),
      'index.ts': PULUMI_INDEX('./thing', './group'),
      'thing.ts': PULUMI_THING,
      'group.ts': PULUMI_GROUP('./thing'),
    },
    expectedOfPulumi,
  ],
  [
    '@pulumi/pulumi, ES modules, a tsconfig without target and with paths',
    {
      'package.json': pulumiPackage('module'),
      'index.ts': PULUMI_INDEX('@parts/thing.js', '@parts/group'),
      'parts/thing.ts': PULUMI_THING,
      'parts/group.ts': PULUMI_GROUP('@parts/thing'),
      'tsconfig.json': NAMES,
    },
    expectedOfPulumi,
  ],
  [
    '@cairn/sdk, ES modules, no tsconfig',
    {
      'package.json': cairnPackage('module'),
      'index.ts': CAIRN_INDEX('./pets.js'),
      'pets.ts': CAIRN_PETS,
    },
    { same: true, count: 1 },
  ],
  [
    '@cairn/sdk, CommonJS, a tsconfig that extends one with paths',
    {
      'package.json': cairnPackage('commonjs'),
      'index.ts': CAIRN_INDEX('@parts/pets'),
      'parts/pets.ts': CAIRN_PETS,
      'tsconfig.json': '{ "extends": "./base" /* only that */ }',
      'base.json': NAMES,
    },
    { same: true, count: 1 },
  ],
  [
    'a component of a plugin on @pulumi/pulumi, also where the tsconfig files of program and plugin reset fields',
    {
      'Pulumi.yaml': 'name: shop\nruntime: nodejs\nplugins: { providers: [{ name: comp, path: ./comp }] }\n',
      'package.json': pulumiPackage('commonjs'),
      'index.ts': PULUMI_USER,
      'tsconfig.json': RESETS,
      'comp/PulumiPlugin.yaml': 'runtime: nodejs\n',
      'comp/package.json': JSON.stringify({
        name: 'comp',
        version: '1.0.0',
        main: 'index.ts',
        dependencies: { '@pulumi/pulumi': '*' },
      }),
      'comp/index.ts': PULUMI_PLUGIN,
      'comp/tsconfig.json': RESETS,
    },
    { token: 'token of the pair' },
  ],
  [
    '@pulumi/pulumi, in a folder of its own below a tsconfig that resets fields',
    {
      'Pulumi.yaml': 'name: shop\nruntime: nodejs\nmain: program/\n',
      'tsconfig.json': RESETS,
      'program/package.json': pulumiPackage('commonjs'),
      'program/index.ts': PULUMI_INDEX('./thing', './group'),
      'program/thing.ts': PULUMI_THING,
      'program/group.ts': PULUMI_GROUP('./thing'),
    },
    expectedOfPulumi,
  ],
])('fields that are only declared keep what the base class has set: %s', async (_, files, outputs) => {
  const box = sandbox(files);
  boxes.push(box);
  const log = path.join(box.state, 'effects.log');
  box.env['THING_LOG'] = log;
  giveStack(box);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  expect(JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout)).toEqual(outputs);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-changes']));
  if (outputs === expectedOfPulumi)
    expect(readFileSync(log, 'utf8').split('\n').sort()).toEqual([
      '',
      'create start-first-end thing',
      'create start-group-child-end thing',
    ]);
});
