import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * A provider on the provider SDK whose objects are in a file: names and choices that it makes, parts, a method,
 * messages, work that fails for a while, and properties that were renamed in its second version.
 */
const provider = (renamed: boolean): string => `
import { readFile, writeFile } from 'node:fs/promises';
import { ProviderError, defineMethod, defineProvider, defineResource, s, toProvider } from '@cairn/provider-sdk';

const inputs = {
  name: s.string({ maxLength: 16 }).autoname(),
  ${renamed ? 'slots' : 'size'}: s.integer().default(2),
  zone: s.string().computed(),
  region: s.string().default('north').immutable(),
  doors: s.set(s.string()).optional(),
};
const slots = (values) => values.${renamed ? 'slots' : 'size'};
const objects = async () => JSON.parse(await readFile('world.json', 'utf8').catch(() => '{}'));
const store = async (id, object) => writeFile('world.json', JSON.stringify({ ...(await objects()), [id]: object }));
let busy = 2;
const rack = defineResource({
  inputs,
  outputs: inputs,
  ${renamed ? 'migrations: [{ inputs: ({ size, ...rest }) => ({ ...rest, slots: size }), outputs: ({ size, ...rest }) => ({ ...rest, slots: size }) }],' : ''}
  create: async (given, { log, retry }) => {
    log.warning('building ' + given.name);
    await retry(
      async () => {
        if (busy-- > 0) throw new ProviderError('UNAVAILABLE', 'busy');
      },
      { when: (error) => error.code === 'UNAVAILABLE', firstMs: 1 },
    );
    const object = { zone: 'a', ...given };
    await store(given.name, object);
    return { id: given.name, outputs: object };
  },
  read: async (id) => {
    const found = (await objects())[id];
    return found && { id, inputs: found, outputs: found };
  },
  update: async (old, given) => {
    const object = { zone: old.outputs.zone, ...given };
    await store(old.id, object);
    return object;
  },
  delete: async ({ id }) => store(id, undefined),
  views: ({ outputs }) =>
    Array.from({ length: slots(outputs) }, (_, index) => ({ type: 'index:Slot', name: 'slot-' + index, outputs: { of: outputs.name } })),
  methods: {
    open: defineMethod({
      inputs: { door: s.string() },
      outputs: { said: s.string() },
      call: async ({ id }, { door }) => ({ said: id.replace(/-.*/, '') + ' opens ' + door }),
    }),
  },
});
export default () => toProvider(defineProvider({ name: 'shed', version: '1.0.0', resources: { 'index:Rack': rack } }));
`;

const program = (args: string): string => `
import { CustomResource, call } from '@cairn/sdk';
const rack = new CustomResource('shed:index:Rack', 'rack', { ${args} });
export const name = rack.outputOf('name');
export const zone = rack.outputOf('zone');
export const said = call('shed:index:Rack/open', { door: 'left' }, rack).apply(({ said }) => said);
`;

describe('what a provider on the provider SDK can do', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox({
      'index.ts': program("doors: ['left', 'right']"),
      'package.json': JSON.stringify({
        name: 'shop',
        private: true,
        type: 'module',
        dependencies: { '@cairn/sdk': '*', shed: '*' },
      }),
      'node_modules/shed/package.json': JSON.stringify({
        name: 'shed',
        version: '1.0.0',
        type: 'module',
        cairn: { provider: { name: 'shed', module: './provider.js' } },
      }),
      'node_modules/shed/provider.js': provider(false),
    });
    giveStack(box);
  });
  afterAll(() => box.remove());

  const run = async (...words: readonly string[]): Promise<string> => expectOk(await box.cairn(words)).text;
  const world = (): Record<string, Record<string, unknown>> =>
    JSON.parse(readFileSync(path.join(box.directory, 'world.json'), 'utf8')) as never;
  const outputs = async (): Promise<Record<string, string>> =>
    JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout) as never;
  const entries = async (): Promise<readonly { type: string; inputs: object; outputs: object }[]> => {
    const text = expectOk(await box.cairn(['stack', 'export'])).stdout;
    return (JSON.parse(text) as { deployment: { resources: [] } }).deployment.resources;
  };

  test('a name is made as the preview shows it, the provider chooses, works and says so', async () => {
    const text = await run('up', '--yes');
    const [name = ''] = Object.keys(world());
    expect(name).toMatch(/^rack-[0-9a-f]{7}$/);
    expect(text.split(name).length).toBeGreaterThan(2);
    expect(text).toContain(`building ${name}`);
    expect(await outputs()).toEqual({ name, zone: 'a', said: 'rack opens left' });
    const slots = (await entries()).filter(({ type }) => type === 'shed:index:Slot');
    expect(slots).toHaveLength(2);
  });

  test('the order of a set and a choice that was left to the provider are no changes, in a refresh neither', async () => {
    box.write('index.ts', program("doors: ['right', 'left', 'right']"));
    await run('up', '--yes', '--expect-no-changes');
    await run('refresh', '--yes', '--expect-no-changes');
    box.write('index.ts', program("doors: ['right', 'left'], zone: 'a'"));
    await run('up', '--yes', '--expect-no-changes');
    box.write('index.ts', program("doors: ['right', 'left'], size: 1"));
    expect(await run('up', '--yes')).toMatch(/size/);
    expect((await entries()).filter(({ type }) => type === 'shed:index:Slot')).toHaveLength(1);
  });

  test('the setting autonaming proposes names', async () => {
    await run('config', 'set', 'pulumi:autonaming', '{"pattern": "the-${name}"}');
    const before = Object.keys(world());
    await run('up', '--yes', '--expect-no-changes');
    expect(Object.keys(world())).toEqual(before);
    const text = await run('preview', '--target-replace', '**::rack');
    expect(text).toContain('the-rack');
    await run('config', 'rm', 'pulumi:autonaming');
  });

  test('an immutable input is refused another value before anything is done', async () => {
    box.write('index.ts', program("doors: ['right', 'left'], size: 1, region: 'south'"));
    const { code, text } = await box.cairn(['up', '--yes']);
    expect(code).not.toBe(0);
    expect(text).toContain('region');
    expect(text).toContain('cannot be changed once the object exists');
    expect(Object.values(world())[0]).toMatchObject({ region: 'north' });
  });

  test('a provider whose properties were renamed goes on with the state of the one before', async () => {
    writeFileSync(path.join(box.directory, 'node_modules/shed/provider.js'), provider(true));
    box.write('index.ts', program("doors: ['right', 'left'], slots: 1"));
    await run('preview', '--expect-no-changes');
    box.write('index.ts', program("doors: ['right', 'left'], slots: 3"));
    await run('up', '--yes');
    const rack = (await entries()).find(({ type }) => type === 'shed:index:Rack');
    expect(rack).toMatchObject({ inputs: { slots: 3 }, outputs: { slots: 3 } });
    expect(rack?.inputs).not.toHaveProperty('size');
    await run('destroy', '--yes');
    expect(world()).toEqual({});
  });
});
