import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Transforms and references to resources, in programs on the real `@pulumi/pulumi`. */

const THING = `
const pulumi = require('@pulumi/pulumi');
const provider = {
  async create(inputs) {
    return { id: 'id-' + inputs.name, outs: inputs };
  },
  async diff(_id, olds, news) {
    return { changes: JSON.stringify(olds.values) !== JSON.stringify(news.values) };
  },
  async update(_id, _olds, news) {
    return { outs: news };
  },
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name, values, options) {
    super(provider, name, { name, values }, options);
  }
}
class Group extends pulumi.ComponentResource {
  constructor(name, options) {
    super('test:index:Group', name, {}, options);
  }
}
module.exports = { Thing, Group };
`;

const TRANSFORMS = `
const pulumi = require('@pulumi/pulumi');
const { Thing, Group } = require('./thing');
const round = new pulumi.Config().requireNumber('round');
const append = (text) => async ({ props, opts }) => ({
  props: { ...props, values: pulumi.output(props.values).apply((values) => [...(values ?? []), text]) },
  opts,
});
pulumi.runtime.registerResourceTransform((args) =>
  args.type.endsWith(':Resource') ? append('stack')(args) : undefined,
);
pulumi.runtime.registerResourceTransform(({ name, props, opts }) =>
  name === 'kept' ? { props, opts: pulumi.mergeOptions(opts, { protect: round < 3 }) } : undefined,
);
const first = new Thing('first', ['own']);
pulumi.runtime.registerInvokeTransform(({ token, args, opts }) =>
  token === 'pulumi:pulumi:getResource' ? { args: { ...args, urn: first.urn }, opts } : undefined,
);
const group = new Group('group', { transforms: [append('group')] });
new Thing('child', ['own'], { parent: group, transforms: [append('self')] });
new Thing('kept', ['own']);
new Thing('depends', pulumi.secret([first.id]), {});
const asked = pulumi.runtime.invoke('pulumi:pulumi:getResource', { urn: 'nothing' }, {}, undefined);
module.exports = {
  asked: pulumi.output(asked).apply((found) => (found === undefined ? 'unknown' : found.id)),
};
`;

const FAILING = `
const pulumi = require('@pulumi/pulumi');
const { Thing } = require('./thing');
pulumi.runtime.registerResourceTransform(() => {
  throw new Error('no such luck');
});
new Thing('thing', ['x']);
`;

const REFERENCES = `
const pulumi = require('@pulumi/pulumi');
const { Thing, Group } = require('./thing');
const group = new Group('group');
const thing = new Thing('thing', ['x']);
new pulumi.Stash('refers', { input: [group, thing, { deep: thing }] });
`;

interface Entry {
  readonly urn: string;
  readonly protect?: boolean;
  readonly inputs: { readonly values?: unknown; readonly input?: unknown };
  readonly dependencies?: readonly string[];
}

async function entries(box: Sandbox): Promise<ReadonlyMap<string, Entry>> {
  const exported = expectOk(await box.cairn(['stack', 'export'])).stdout;
  const { resources } = (JSON.parse(exported) as { deployment: { resources?: Entry[] } }).deployment;
  return new Map((resources ?? []).map((entry) => [entry.urn.split('::')[3] ?? '', entry]));
}

function project(program: string): Sandbox {
  return sandbox(
    {
      'package.json': '{"name":"transforms","dependencies":{"@pulumi/pulumi":"*"}}',
      'Pulumi.yaml': 'name: transforms\nruntime: nodejs\n',
      'index.js': program,
      'thing.js': THING,
    },
    { projectFile: false },
  );
}

let box: Sandbox;
afterEach(() => box.remove());

test('transforms of resources, of what is above them, of the stack and of questions', async () => {
  box = project(TRANSFORMS);
  giveStack(box);
  for (const round of [1, 3]) {
    expectOk(await box.cairn(['config', 'set', 'round', String(round)]));
    expectOk(await box.cairn(['preview']));
    const { text } = expectOk(await box.cairn(['up', '--yes']));
    expect(text).toContain('id-first');
    const found = await entries(box);
    const values = (name: string) => found.get(name)?.inputs.values;
    expect([values('first'), values('child'), values('kept')]).toEqual([
      ['own', 'stack'],
      ['own', 'self', 'group', 'stack'],
      ['own', 'stack'],
    ]);
    expect(found.get('kept')?.protect ?? false).toBe(round < 3);
    expect(found.get('depends')?.dependencies).toEqual([expect.stringMatching(/::first$/)]);
    expect(JSON.stringify(values('depends'))).toContain('ciphertext');
  }
  expectOk(await box.cairn(['destroy', '--yes']));
});

test('a transform that throws fails the program, and nothing is made', async () => {
  box = project(FAILING);
  giveStack(box);
  const { code, text } = await box.cairn(['up', '--yes']);
  expect(code).not.toBe(0);
  expect(text).toContain('invoke transform: ');
  expect(text).toContain('no such luck');
  expect([...(await entries(box)).keys()]).not.toContain('thing');
});

test('references stay references; an engine without them has ids and URNs', async () => {
  box = project(REFERENCES);
  giveStack(box);
  const signature = '5cf8f73096256a8f31e491e813e4eb8e';
  for (const expected of [/3 create|\+ 3|created/i, /unchanged|no changes/i]) {
    expectOk(await box.cairn(['preview']));
    expect(expectOk(await box.cairn(['up', '--yes'])).text).toMatch(expected);
    const [group, thing, deep] = ((await entries(box)).get('refers')?.inputs.input ??
      []) as readonly unknown[];
    expect(JSON.stringify(group)).toMatch(new RegExp(`${signature}.*::group`));
    expect(JSON.stringify(thing)).toMatch(new RegExp(`${signature}.*id-thing`));
    expect(JSON.stringify(deep)).toMatch(new RegExp(`deep.*${signature}`));
  }
  const env = { PULUMI_DISABLE_RESOURCE_REFERENCES: '1' };
  expectOk(await box.cairn(['up', '--yes'], { env }));
  expect((await entries(box)).get('refers')?.inputs.input).toEqual([
    expect.stringMatching(/::group$/),
    'id-thing',
    { deep: 'id-thing' },
  ]);
  expectOk(await box.cairn(['destroy', '--yes']));
});
