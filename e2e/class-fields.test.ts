import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from './support/cairn.js';
import type { Sandbox } from './support/cairn.js';

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
])('fields that are only declared keep what the base class has set: %s', async (_, files, outputs) => {
  const box = sandbox(files);
  boxes.push(box);
  const log = path.join(box.state, 'effects.log');
  box.env['THING_LOG'] = log;
  expectOk(await box.cairn(['stack', 'init', 'dev']));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  expect(JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout)).toEqual(outputs);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-changes']));
  if ('token' in outputs)
    expect(readFileSync(log, 'utf8').split('\n').sort()).toEqual([
      '',
      'create start-first-end thing',
      'create start-group-child-end thing',
    ]);
});
