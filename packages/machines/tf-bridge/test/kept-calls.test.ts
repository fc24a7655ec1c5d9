import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { record } from '@cairn/tfplugin';
import type { Block, Schema } from '@cairn/tfplugin';
import type { PropertyMap } from '@cairn/values';
import { propertyMap as map, secret } from '@cairn/values';
import type { BoxesOptions } from '@cairn/testkit/terraform';
import type { TerraformClient } from '../src/index.js';
import { KeptCalls } from '../src/provider/kept-calls.js';
import { STATE_PROPERTY } from '../src/model/index.js';
import { Bridged } from './bridged.js';
import type { Kept } from './bridged.js';

const CALLS = [
  'validateResourceConfig',
  'upgradeResourceState',
  'readResource',
  'planResourceChange',
] as const;

/** Digests that one operation leaves for the next. */
class Digests {
  readonly key: Uint8Array;
  readonly known: ReadonlySet<string>;
  readonly kept = new Set<string>();

  constructor(known: ReadonlySet<string> = new Set(), key = 1) {
    this.known = known;
    this.key = new Uint8Array(32).fill(key);
  }

  has(digest: string): boolean {
    if (this.known.has(digest)) this.kept.add(digest);
    return this.known.has(digest);
  }

  keep(digest: string): void {
    this.kept.add(digest);
  }
}

let directory: string;
beforeEach(() => (directory = mkdtempSync(path.join(tmpdir(), 'kept-calls-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A command that may differ from the one before. */
interface Command {
  readonly options?: BoxesOptions;
  readonly executable?: string;
  readonly inputs?: PropertyMap;
  readonly object?: Kept;
  readonly key?: number;
  readonly refreshes?: boolean;
}

const inputs = map({ name: 'n', size: 1 });

/** Checks and compares an object as a command of its own does. Returns the number of each call, and the digests. */
async function command(known: ReadonlySet<string> | undefined, given: Command = {}) {
  const digests = known && new Digests(known, given.key);
  const { executable = 'one', options = {} } = given;
  const schemaCache = { directory, identity: executable };
  const boxes = await Bridged.start(options, { schemaCache, keptAnswers: digests });
  const object = given.object ?? (await boxes.made(inputs));
  const before = CALLS.map((call) => boxes.count(call));
  const kept = given.refreshes === true ? { ...object, ...(await read(boxes, object)) } : object;
  const news = given.inputs ?? inputs;
  expect((await boxes.check(news)).failures).toEqual([]);
  const { changes } = await boxes.diff(kept, news);
  await boxes.bridge.close();
  const calls = CALLS.map((call, at) => boxes.count(call) - (before[at] as number));
  return { object, changes, calls, digests: new Set(digests?.kept) };
}

async function read(boxes: Bridged, object: Kept): Promise<Pick<Kept, 'outputs'>> {
  const { outputs } = await boxes.read(object);
  if (outputs === undefined) throw new Error('the object is gone');
  return { outputs };
}

const ALL = [1, 1, 0, 1];
const PLAN = [0, 0, 0, 1];

test('an unchanged object is only planned by the next command [TFB-13]', async () => {
  const first = await command(new Set());
  expect(first.calls).toEqual(ALL);
  const { object } = first;
  const second = await command(first.digests, { object });
  expect([second.calls, second.changes]).toEqual([PLAN, 'none']);
  // What was not asked is kept for the command after it.
  expect(second.digests).toEqual(first.digests);
  expect((await command(second.digests, { object })).calls).toEqual(PLAN);
});

test.each<[string, Command, readonly number[]]>([
  ['another executable', { executable: 'two' }, ALL],
  ['another key', { key: 2 }, ALL],
  ['another configuration', { inputs: map({ name: 'n', size: 2 }) }, [1, 0, 0, 1]],
  ['a secret instead of the same value', { inputs: map({ name: secret('n'), size: 1 }) }, PLAN],
])('what a command asks again: %s [TFB-13]', async (_title, given, calls) => {
  const first = await command(new Set());
  expect((await command(first.digests, { object: first.object, ...given })).calls).toEqual(calls);
});

test('an object that another command has changed is upgraded again [TFB-13]', async () => {
  const first = await command(new Set());
  const changed = await command(new Set());
  const outputs = map({ ...changed.object.outputs });
  const object = { ...first.object, outputs };
  const text = (outputs[STATE_PROPERTY] as { readonly value: string }).value;
  const stored = secret(text.replace('"size":1', '"size":3'));
  const edited = { ...object, outputs: map({ ...outputs, [STATE_PROPERTY]: stored }) };
  const second = await command(first.digests, { object: edited });
  expect([second.calls, second.changes]).toEqual([[0, 1, 0, 1], 'some']);
});

test('a refresh reads an object that was not upgraded again [TFB-13]', async () => {
  const first = await command(new Set());
  const again = { object: first.object, refreshes: true, options: { keepsObjects: false } };
  expect((await command(new Set(), again)).calls).toEqual([1, 2, 1, 1]);
  expect((await command(first.digests, again)).calls).toEqual([0, 0, 1, 1]);
});

const warns = { diagnostics: [{ severity: 'warning', summary: 'old', detail: '' }] } as const;

test('a configuration with a warning is validated again [TFB-13]', async () => {
  const options: BoxesOptions = { rules: [{ call: 'validateResourceConfig', answer: warns }] };
  const first = await command(new Set(), { options });
  expect((await command(first.digests, { object: first.object, options })).calls).toEqual([1, 0, 0, 1]);
});

test.each<[string, object, string]>([
  ['changed the object', { size: 7 }, 'some'],
  ['had a warning', warns, 'none'],
])(
  'an upgrade that %s is asked for again [TFB-13]',
  async (_title, { size, ...more }: { size?: number }, changes) => {
    const { object } = await command(new Set());
    const upgradedState = { ...stateOf(object), ...(size !== undefined && { size }) };
    const answer = { ...more, upgradedState };
    const options: BoxesOptions = { rules: [{ call: 'upgradeResourceState', answer }] };
    const first = await command(new Set(), { object, options });
    const second = await command(first.digests, { object, options });
    expect([second.calls, second.changes]).toEqual([[0, 1, 0, 1], changes]);
  },
);

function stateOf({ outputs }: Kept): Readonly<Record<string, unknown>> {
  const text = (outputs[STATE_PROPERTY] as { readonly value: string }).value;
  return (JSON.parse(text) as { readonly attributes: Readonly<Record<string, unknown>> }).attributes;
}

test('without digests everything is asked [TFB-13]', async () => {
  const first = await command(new Set());
  expect((await command(undefined, { object: first.object })).calls).toEqual(ALL);
});

test('digests contain nothing of what was asked [TFB-13]', async () => {
  const { digests } = await command(new Set());
  expect(digests.size).toBe(2);
  for (const digest of digests) expect(digest).toMatch(/^[\0-\xff]{16}$/);
});

test.each<[string, Partial<Schema>, number]>([
  ['the same schema', {}, 0],
  ['another version', { version: 2 }, 1],
  ['another attribute', { block: blockOf('weight') }, 1],
])('validation with %s [TFB-13]', async (_title, change, calls) => {
  const schema: Schema = { version: 1, block: blockOf('size') };
  const first = new Digests();
  expect(await validations(schema, first)).toBe(1);
  expect(await validations({ ...schema, ...change }, new Digests(first.kept))).toBe(calls);
});

function blockOf(name: string): Block {
  const flags = { required: false, optional: true, computed: false, sensitive: false, writeOnly: false };
  return { attributes: new Map([[name, { ...flags, type: 'number' }]]), blocks: new Map() };
}

/** Returns the number of calls of a validation by a provider with this schema. */
async function validations(schema: Schema, digests: Digests): Promise<number> {
  let count = 0;
  const client = {
    schema: { resources: new Map([['boxes_box', schema]]), identities: new Map() },
    validateResource: async () => {
      count += 1;
      return [];
    },
  } as unknown as TerraformClient;
  const config = record([...schema.block.attributes.keys()].map((name) => [name, 1]));
  await new KeptCalls(client, digests, 'one').validate('boxes_box', schema.block, config);
  return count;
}
