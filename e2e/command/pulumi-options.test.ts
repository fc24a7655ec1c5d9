import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Every resource option of the real `@pulumi/pulumi`, one by one: each has resources of its own in one program, which
 * runs in three rounds. The table has the effect of each round on them and their entries in the state.
 */

const THING = `
const pulumi = require('@pulumi/pulumi');
const note = (line) => require('fs').appendFileSync(process.env.THING_LOG, line + '\\n');
const provider = {
  async create(inputs) {
    note('create ' + inputs.name);
    return { id: inputs.name + '-' + inputs.gen, outs: { ...inputs, token: 'token of ' + inputs.name } };
  },
  async diff(_id, olds, news) {
    return {
      changes: ['size', 'gen'].some((key) => olds[key] !== news[key]),
      replaces: olds.gen !== news.gen ? ['gen'] : [],
      deleteBeforeReplace: false,
    };
  },
  async update(_id, olds, news) {
    note('update ' + news.name);
    return { outs: { ...news, token: olds.token } };
  },
  async delete(_id, props) {
    note('delete ' + props.name);
  },
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name, args = {}, options) {
    super(provider, name, { name, gen: 1, size: 1, token: undefined, ...args }, options);
  }
}
class Group extends pulumi.ComponentResource {
  constructor(name, options) {
    super('test:index:Group', name, {}, options);
  }
}
class Folder extends pulumi.CustomResource {
  constructor(name, args, options) {
    super('cairn-local:index:Directory', name, args, options);
  }
}
class Local extends pulumi.ProviderResource {
  constructor(name, args, options) {
    super('cairn-local', name, args ?? {}, options);
  }
}
module.exports = { Thing, Group, Folder, Local };
`;

const PROGRAM = `
const pulumi = require('@pulumi/pulumi');
const { Thing, Group, Folder, Local } = require('./thing');
const round = new pulumi.Config().requireNumber('round');
const group = new Group('group');
const anchor = new Thing('anchor', { gen: round });

new Thing('parent', {}, { parent: group });
new Thing('dependsOn', {}, { dependsOn: [group, anchor] });
new Thing('protect', {}, { protect: round < 3 });
new Thing('ignoreChanges', { size: round }, { ignoreChanges: ['size'] });
new Folder('replaceOnChanges', { path: 'made-4', force: round > 1 }, { replaceOnChanges: ['force'] });
new Thing('deleteFirst', { gen: round }, { deleteBeforeReplace: true });
new Thing('createFirst', { gen: round });
if (round === 1) {
  const owner = new Thing('owner');
  new Thing('deletedWith', {}, { deletedWith: owner });
  new Thing('retainOnDelete', {}, { retainOnDelete: true });
}
new Thing('replaceWith', {}, { replaceWith: [anchor] });
new Thing('replacementTrigger', {}, { replacementTrigger: pulumi.secret({ deep: [round > 1] }) });
new Thing(round === 1 ? 'oldName' : 'aliasByName', { name: 'aliasByName' }, { aliases: [{ name: 'oldName' }] });
new Thing('aliasByParent', {}, round === 1 ? { parent: group } : { aliases: [{ parent: group }] });
new Thing('aliasNoParent', {}, round === 1 ? {} : { parent: group, aliases: [{ parent: pulumi.rootStackResource }] });
new Thing(round === 1 ? 'oldUrn' : 'aliasByUrn', { name: 'aliasByUrn' }, { aliases: ['urn:pulumi:dev::options::pulumi-nodejs:dynamic:Resource::oldUrn'] });
new Thing('additionalSecretOutputs', {}, { additionalSecretOutputs: ['token'] });
new Thing('customTimeouts', {}, { customTimeouts: { create: '5m', update: '90s', delete: '1h' } });
new Thing('hideDiffs', { size: round }, { hideDiffs: ['size', 'a.[0]', 'v["a.b"].c', 'v.list["*"]', 'v.list[1]'] });
const explicit = new Local('explicit', {}, { envVarMappings: { OPTIONS_FROM: 'OPTIONS_TO' } });
new Folder('provider', { path: 'made-1' }, { provider: explicit });
const holder = new Group('holder', { providers: [explicit] });
new Folder('providers', { path: 'made-2' }, { parent: holder });
new Folder('version', { path: 'made-3' }, { version: '0.1.0' });
new Folder('import', { path: 'found' }, { import: 'found', retainOnDelete: true });
const stash = new pulumi.Stash('stash', { input: { round, hidden: pulumi.secret('planted-stash') } });
const other = new (class extends pulumi.CustomResource {
  constructor() {
    super('cairn-local:index:Directory', 'get', {}, { id: 'found' });
  }
})();

exports.stash = stash.output;
exports.found = other.id;
exports.nested = pulumi.all([anchor.token, pulumi.secret('planted-nested')]).apply(([token, hidden]) => ({ list: [{ token, hidden }] }));
`;

interface Entry {
  readonly urn: string;
  readonly [key: string]: unknown;
}

/** Description of a step in its event. */
interface Metadata {
  readonly op: string;
  readonly urn: string;
  readonly new?: { readonly hideDiffs?: readonly string[] } | null;
}

interface Round {
  /** Steps by resource name, in order, without `same`. */
  readonly steps: ReadonlyMap<string, readonly string[]>;
  /** The member hideDiffs of the resource of that name in the events. */
  readonly hidden: readonly string[] | undefined;
  /** Calls that the provider received, in order. */
  readonly calls: readonly string[];
  readonly state: ReadonlyMap<string, Entry>;
}

describe('resource options of programs on @pulumi/pulumi', () => {
  let box: Sandbox;
  let log: string;
  const rounds: Round[] = [];

  beforeAll(async () => {
    box = sandbox(
      {
        'Pulumi.yaml': 'name: options\nruntime: nodejs\n',
        'package.json': JSON.stringify({
          name: 'options',
          main: 'index.js',
          dependencies: { '@pulumi/pulumi': '*', '@cairn/provider-local': '*' },
        }),
        'index.js': PROGRAM,
        'thing.js': THING,
        'found/kept.txt': 'kept',
      },
      { projectFile: false },
    );
    log = path.join(box.directory, 'things.log');
    appendFileSync(log, '');
    giveStack(box);
    for (const round of [1, 2, 3]) rounds.push(await play(round));
  });
  afterAll(() => box.remove());

  async function play(round: number): Promise<Round> {
    expectOk(await box.cairn(['config', 'set', 'round', String(round)]));
    writeFileSync(log, '');
    const env = { THING_LOG: log, OPTIONS_FROM: 'mapped' };
    const { stdout } = expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--json'], { env }));
    const steps = new Map<string, string[]>();
    let hidden: readonly string[] | undefined;
    for (const line of stdout.split('\n').filter((text) => text.startsWith('{'))) {
      const event = JSON.parse(line) as { resOutputsEvent?: { metadata: Metadata } };
      const metadata = event.resOutputsEvent?.metadata;
      if (metadata === undefined || metadata.op === 'same') continue;
      const name = nameOf(metadata.urn);
      hidden ??= metadata.new?.hideDiffs;
      steps.set(name, [...(steps.get(name) ?? []), metadata.op]);
    }
    const { stdout: exported } = expectOk(await box.cairn(['stack', 'export']));
    const { deployment } = JSON.parse(exported) as { deployment: { resources: Entry[] } };
    return {
      steps,
      hidden,
      calls: readFileSync(log, 'utf8').split('\n').filter(Boolean),
      state: new Map(deployment.resources.map((entry) => [nameOf(entry.urn), entry])),
    };
  }

  const steps = (round: number, name: string) => rounds[round - 1]?.steps.get(name) ?? [];
  const calls = (round: number, name: string) =>
    (rounds[round - 1]?.calls ?? [])
      .filter((call) => call.endsWith(` ${name}`))
      .map((call) => call.split(' ')[0]);
  const entry = (round: number, name: string) => rounds[round - 1]?.state.get(name);

  test('parent', () => {
    expect(entry(1, 'parent')?.['parent']).toBe(entry(1, 'group')?.urn);
    expect(entry(1, 'parent')?.urn).toContain('test:index:Group$pulumi-nodejs:dynamic:Resource::parent');
  });

  test('dependsOn: a component stands for itself and what is below it', () => {
    const needed = entry(1, 'dependsOn')?.['dependencies'];
    expect(needed).toEqual(expect.arrayContaining([entry(1, 'anchor')?.urn, entry(1, 'parent')?.urn]));
  });

  test('protect is stored and taken back', () => {
    expect(entry(2, 'protect')?.['protect']).toBe(true);
    expect(entry(3, 'protect')?.['protect']).toBeUndefined();
    expect(steps(3, 'protect')).toEqual([]);
  });

  test.each([
    ['ignoreChanges', [], []],
    ['deleteFirst', ['delete-replaced', 'replace', 'create-replacement'], ['delete', 'create']],
    ['createFirst', ['create-replacement', 'replace', 'delete-replaced'], ['create', 'delete']],
    ['replaceWith', ['create-replacement', 'replace', 'delete-replaced'], ['create', 'delete']],
    ['replacementTrigger', ['create-replacement', 'replace', 'delete-replaced'], ['create', 'delete']],
    ['hideDiffs', ['update'], ['update']],
    ['owner', ['delete'], ['delete']],
    ['deletedWith', ['delete'], []],
    ['retainOnDelete', ['delete'], []],
    ['aliasByName', [], []],
    ['aliasByParent', [], []],
    ['aliasNoParent', [], []],
    ['aliasByUrn', [], []],
  ])('%s in the second round', (name, expected, asked) => {
    expect(calls(1, name)).toEqual(['create']);
    expect(steps(2, name)).toEqual(expected);
    expect(calls(2, name)).toEqual(asked);
  });

  test('replaceOnChanges makes a replacement of what would be an update', () => {
    expect(steps(2, 'replaceOnChanges')).toEqual(['delete-replaced', 'replace', 'create-replacement']);
    expect(steps(3, 'replaceOnChanges')).toEqual([]);
  });

  test('replacementTrigger that stays the same does nothing', () => {
    expect(steps(3, 'replacementTrigger')).toEqual([]);
  });

  test('aliases: the entry goes on under its new name', () => {
    expect(entry(1, 'aliasByName')).toBeUndefined();
    expect(entry(2, 'aliasByName')?.['id']).toBe(entry(1, 'oldName')?.['id']);
    expect(entry(2, 'oldUrn')).toBeUndefined();
    expect(entry(2, 'aliasByParent')?.['parent']).toMatch(/pulumi:pulumi:Stack/);
    expect(entry(2, 'aliasNoParent')?.['parent']).toBe(entry(2, 'group')?.urn);
  });

  test('additionalSecretOutputs', () => {
    const outputs = entry(1, 'additionalSecretOutputs')?.['outputs'] as Record<string, unknown>;
    expect(outputs['token']).toMatchObject({ ciphertext: expect.any(String) as unknown });
  });

  test('customTimeouts, in seconds', () => {
    expect(entry(1, 'customTimeouts')?.['customTimeouts']).toEqual({ create: 300, update: 90, delete: 3600 });
  });

  test('hideDiffs is stored and shown as the texts of paths; lists of segments, once written, are read', async () => {
    const texts = ['size', 'a[0]', 'v["a.b"].c', 'v.list["*"]', 'v.list[1]'];
    expect(entry(1, 'hideDiffs')?.['hideDiff']).toEqual(texts);
    expect(rounds[0]?.hidden).toEqual(texts);
    const { stdout } = expectOk(await box.cairn(['stack', 'export', '--show-secrets']));
    const lists = '[["size"], ["a", 0], ["v", "a.b", "c"], ["v", "list", "*"], ["v", "list", 1]]';
    const old = stdout.replace(/("hideDiff": )\[[^\]]*"size"[^]*?\n\s*\]/, `$1${lists}`);
    expect(old).toContain(lists);
    giveStack(box, 'imported');
    const input = old.replaceAll('urn:pulumi:dev', 'urn:pulumi:imported');
    expectOk(await box.cairn(['stack', 'import', '--stack', 'imported'], { input }));
    const again = expectOk(await box.cairn(['stack', 'export', '--stack', 'imported'])).stdout;
    expect(hiddenIn(again)).toEqual(texts);
    expectOk(await box.cairn(['stack', 'select', 'dev']));
  });

  test('provider, providers and version choose the provider', () => {
    const explicit = `${entry(1, 'explicit')?.urn}::${String(entry(1, 'explicit')?.['id'])}`;
    expect(entry(1, 'provider')?.['provider']).toBe(explicit);
    expect(entry(1, 'providers')?.['provider']).toBe(explicit);
    expect(entry(1, 'version')?.['provider']).toMatch(/pulumi:providers:cairn-local::default_0_1_0::/);
  });

  test('envVarMappings is a setting of the provider only the engine sees', () => {
    const inputs = entry(1, 'explicit')?.['inputs'] as { __internal?: { envVarMappings?: unknown } };
    expect(inputs.__internal?.envVarMappings).toEqual({ OPTIONS_FROM: 'OPTIONS_TO' });
    expect(JSON.stringify(entry(1, 'explicit')?.['outputs'] ?? {})).not.toContain('OPTIONS_TO');
  });

  test('import takes over an object; id reads one', () => {
    expect(steps(1, 'import')).toEqual(['import']);
    expect(steps(2, 'import')).toEqual([]);
    expect(entry(2, 'import')).toMatchObject({ importID: 'found' });
    expect(steps(1, 'get')).toEqual(['read']);
    expect(entry(1, 'get')).toMatchObject({ external: true, id: 'found' });
  });

  test('a stash keeps what it was given first', async () => {
    expect(steps(2, 'stash')).toEqual(['update']);
    const { stdout } = expectOk(await box.cairn(['stack', 'output', '--json', '--show-secrets']));
    expect(JSON.parse(stdout)).toMatchObject({
      stash: { round: 1, hidden: 'planted-stash' },
      found: 'found',
    });
  });

  test('secrets nested in values are secret as a whole', async () => {
    const { stdout } = expectOk(await box.cairn(['stack', 'output', '--json']));
    expect(JSON.parse(stdout)).toMatchObject({ nested: '[secret]' });
    expect(stdout).not.toContain('planted');
  });
});

/** Returns the member hideDiff of an exported state, wherever it is. */
function hiddenIn(exported: string): unknown {
  const { deployment } = JSON.parse(exported) as { deployment: { resources: Entry[] } };
  return deployment.resources.find((each) => each['hideDiff'] !== undefined)?.['hideDiff'];
}

function nameOf(urn: string): string {
  return urn.split('::').at(-1) ?? '';
}
