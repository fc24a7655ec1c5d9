import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { filesContaining } from '../support/search.js';

/** Programs on the real `@pulumi/pulumi`, none of them written for Cairn. */

const up = ['up', '--yes', '--skip-preview'] as const;

const THING = `
import * as pulumi from '@pulumi/pulumi';
const provider: pulumi.dynamic.ResourceProvider = {
  async create(inputs) {
    const note = (line: string) => require('fs').appendFileSync(process.env.THING_LOG!, line + '\\n');
    note('create ' + inputs.name + '-' + inputs.gen);
    if (inputs.fail) throw new Error('no room for ' + inputs.name);
    return { id: inputs.name + '-' + inputs.gen, outs: { ...inputs, token: 'token of ' + inputs.name } };
  },
  async diff(_id, olds, news) {
    return {
      changes: ['name', 'size', 'gen', 'extra'].some((key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key])),
      replaces: olds.gen !== news.gen ? ['gen'] : [],
      deleteBeforeReplace: news.deleteFirst,
    };
  },
  async update(id, olds, news) {
    require('fs').appendFileSync(process.env.THING_LOG!, 'update ' + id + '\\n');
    return { outs: { ...news, token: olds.token } };
  },
  async delete(id) {
    require('fs').appendFileSync(process.env.THING_LOG!, 'delete ' + id + '\\n');
  },
  async read(id, props) {
    return { id, props: { ...props, token: 'read ' + id } };
  },
};
export class Thing extends pulumi.dynamic.Resource {
  declare readonly token: pulumi.Output<string>;
  declare readonly size: pulumi.Output<number>;
  constructor(name: string, args: object = {}, options?: pulumi.CustomResourceOptions) {
    super(provider, name, { name, gen: 1, size: 1, extra: null, deleteFirst: false, token: undefined, ...args }, options);
  }
}
`;

const PROGRAM = `
import * as pulumi from '@pulumi/pulumi';
import { Thing } from './thing';
const config = new pulumi.Config();
const round = config.getNumber('round') ?? 1;
pulumi.log.info('round ' + round);
class Group extends pulumi.ComponentResource {
  readonly token: pulumi.Output<string>;
  constructor(name: string, options?: pulumi.ComponentResourceOptions) {
    super('test:index:Group', name, {}, options);
    this.token = new Thing('child', {}, { parent: this, aliases: [{ name: 'child' }] }).token;
    this.registerOutputs({ token: this.token, hidden: pulumi.secret('planted-component') });
  }
}
const group = new Group(round === 1 ? 'group' : 'renamed', { aliases: [{ name: 'group' }] });
new Thing('moved', {}, round === 1 ? { parent: group } : { aliases: [{ parent: 'urn:pulumi:dev::shop::test:index:Group::group' }] });
const first = new Thing('first', { gen: round, extra: { deep: [pulumi.secret('planted-input')] } });
const second = new Thing('second', { gen: round, deleteFirst: true, extra: first.token }, { additionalSecretOutputs: ['token'] });
const last = new Thing('last', { extra: second.token }, { dependsOn: [group] });
const ignoring = new Thing('ignoring', { size: round }, { ignoreChanges: ['size'] });
if (round < 3) new Thing('kept', {}, { protect: round === 1, retainOnDelete: true });
if (round < 3) new Thing('found', {}, { id: undefined, customTimeouts: { create: '5m' } });
new (class extends pulumi.dynamic.Resource {})({ create: async () => ({ id: 'plain' }) }, 'plain', {});
export const tokens = pulumi.all([first.token, last.token]).apply((each) => each.join(' and '));
export const secretToken = second.token;
export const password = config.requireSecret('password');
export const nested = { size: ignoring.size.apply((size) => size + 1), group: [group.token], shelf: config.require('shelf') };
`;

const ENDS = `
import * as pulumi from '@pulumi/pulumi';
const mode = new pulumi.Config().get('mode');
const provider: pulumi.dynamic.ResourceProvider = {
  async create(inputs: any) {
    if (inputs.fail) throw new Error('no room for it');
    return { id: 'x', outs: inputs };
  },
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name: string, args: any = {}, options?: any) { super(provider, name, args, options); }
}
const before: string = await Promise.resolve('top level');
export default async function () {
  const thing = new Thing('thing', { before });
  switch (mode) {
    case 'throw': throw new TypeError('broken here');
    case 'create': new Thing('bad', { fail: true }); break;
    case 'exit': await new Promise((resolve) => thing.id.apply(resolve)); process.exit(0);
    case 'missing': return { x: new pulumi.StackReference('organization/shop/nowhere').getOutput('x') };
    case 'reference': {
      const other = new pulumi.StackReference('organization/shop/dev');
      return { tokens: other.requireOutput('tokens'), password: other.getOutput('password'), none: other.getOutput('none') };
    }
  }
  return { id: thing.id };
}
`;

interface Entry {
  readonly urn: string;
  readonly type: string;
  readonly parent?: string;
  readonly [key: string]: unknown;
}

async function entries(box: Sandbox, cwd?: string): Promise<ReadonlyMap<string, Entry>> {
  const { stdout } = expectOk(await box.cairn(['stack', 'export'], cwd === undefined ? {} : { cwd }));
  const { deployment } = JSON.parse(stdout) as {
    deployment: { resources?: Entry[]; pending_operations?: unknown[] };
  };
  expect(deployment.pending_operations ?? []).toEqual([]);
  return new Map((deployment.resources ?? []).map((entry) => [entry.urn.split('::').at(-1) ?? '', entry]));
}

describe('programs on @pulumi/pulumi', () => {
  let box: Sandbox;
  let log: string;
  let second: string;
  const run = (words: readonly string[], cwd?: string): Promise<Finished> =>
    box.cairn(words, { env: { THING_LOG: log }, ...(cwd !== undefined && { cwd }) });
  const calls = (): string[] => {
    const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
    writeFileSync(log, '');
    return lines;
  };

  beforeAll(async () => {
    box = sandbox(
      {
        'Pulumi.yaml':
          'name: shop\nruntime: nodejs\nmain: src\nconfig:\n  shelf:\n    type: string\n    default: oak\n',
        'package.json': JSON.stringify({ name: 'shop', dependencies: { '@pulumi/pulumi': '*' } }),
        'src/index.ts': PROGRAM,
        'src/thing.ts': THING,
        'ends/Pulumi.yaml': 'name: ends\nruntime: nodejs\n',
        'ends/package.json': JSON.stringify({ type: 'module', dependencies: { '@pulumi/pulumi': '*' } }),
        'ends/index.ts': ENDS,
      },
      { projectFile: false },
    );
    log = path.join(box.directory, 'things.log');
    second = path.join(box.directory, 'ends');
    appendFileSync(log, '');
    expectOk(await run(['stack', 'init', 'dev']));
    expectOk(await run(['config', 'set', '--secret', 'password', 'planted-password']));
    expectOk(await run(['stack', 'init', 'dev'], second));
  });
  afterAll(() => box.remove());

  test('CommonJS TypeScript below `main`: everything is created, and nothing secret is readable', async () => {
    const end = expectOk(await run(['up', '--yes']));
    expect(end.stdout).toContain('round 1');
    expect(end.stdout).toMatch(/tokens: output<string>[^]*tokens +: "token of first and token of last"/);
    expect(end.stdout).toMatch(/secretToken *: \[secret\]/);
    const made = calls();
    expect(new Set(made)).toEqual(
      new Set(
        ['child', 'moved', 'first', 'second', 'last', 'ignoring', 'kept', 'found'].map(
          (name) => `create ${name}-1`,
        ),
      ),
    );
    expect(made.indexOf('create first-1')).toBeLessThan(made.indexOf('create second-1'));
    expect(made.indexOf('create second-1')).toBeLessThan(made.indexOf('create last-1'));
    for (const planted of ['planted-input', 'planted-component', 'planted-password']) {
      expect(filesContaining(box.state, planted)).toEqual([]);
      expect(end.text).not.toContain(planted);
    }
  });

  test('a second round: both orders of replacement, aliases, ignored changes, and only what has changed', async () => {
    expectOk(await run(['config', 'set', 'round', '2']));
    expectOk(await run(up));
    expect(calls()).toEqual(
      expect.arrayContaining(['create first-2', 'delete second-1', 'create second-2', 'delete first-1']),
    );
    const now = await entries(box);
    expect(now.get('moved')?.parent).toMatch(/::pulumi:pulumi:Stack::/);
    expect(now.get('child')?.parent).toMatch(/::renamed$/);
    expect(now.get('ignoring')?.['outputs']).toMatchObject({ size: 1 });
    expectOk(await run([...up, '--expect-no-changes']));
    expect(calls()).toEqual([]);
  });

  test('what is retained is only forgotten; what is gone from the program is deleted; refresh reads', async () => {
    expectOk(await run(['config', 'set', 'round', '3']));
    expectOk(await run(['refresh', '--yes']));
    expect((await entries(box)).get('first')?.['outputs']).toMatchObject({ token: 'read first-2' });
    expectOk(await run(up));
    const made = calls();
    expect(made).toContain('delete found-1');
    expect(made).not.toContain('delete kept-1');
    expect((await entries(box)).has('kept')).toBe(false);
  });

  test('an ES module with an async default export: each end of the program is one clear error', async () => {
    expectOk(await run(up, second));
    const ends: readonly [string, number, RegExp][] = [
      ['throw', 1, /TypeError: broken here[^]*index\.ts:17:\d+/],
      ['create', 4, /CAIRN-RESOURCE-FAILED[^]*::bad: no room for it/],
      ['exit', 1, /CAIRN-PROGRAM-FAILED[^]*(process\.exit|exit code: 1)/],
      ['missing', 6, /CAIRN-STACK-NOT-FOUND[^]*nowhere/],
    ];
    for (const [mode, code, said] of ends) {
      const end = await run([...up, '--config', `mode=${mode}`], second);
      expect({ mode, code: end.code, text: end.text }).toEqual({
        mode,
        code,
        text: expect.stringMatching(said) as string,
      });
      expect(end.text.match(/^ *error\[/gm)).toHaveLength(1);
      expect(end.text).not.toContain('CAIRN-IN-DOUBT');
    }
    const left = await entries(box, second);
    expect(left.has('thing')).toBe(true);
    expect(left.has('bad')).toBe(false);
  });

  test('a reference to another stack: its outputs, secret where they are', async () => {
    const end = expectOk(await run([...up, '--config', 'mode=reference'], second));
    expect(end.stdout).toMatch(/password *: \[secret\]/);
    expect(end.text).not.toContain('planted-password');
    expect(filesContaining(box.state, 'planted-password')).toEqual([]);
  });

  test('destroy goes against the dependencies and leaves nothing', async () => {
    expectOk(await run(['destroy', '--yes']));
    const made = calls();
    expect(made.indexOf('delete last-1')).toBeLessThan(made.indexOf('delete second-3'));
    expect(made.indexOf('delete second-3')).toBeLessThan(made.indexOf('delete first-3'));
    expect((await entries(box)).size).toBe(0);
  });
});
