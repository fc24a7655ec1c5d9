import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

interface Report {
  readonly provider: string;
  readonly broken: number;
  readonly resources: readonly {
    readonly type: string;
    readonly questions: readonly string[];
    readonly findings: readonly {
      readonly promise: string;
      readonly verdict: string;
      readonly detail: string;
    }[];
  }[];
}

/** A provider on the provider SDK, as a plugin of an npm package. Its objects are files; one errs in two ways. */
const notes = (keeps: boolean): string => `#!/usr/bin/env node
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { defineProvider, defineResource, s } from '@cairn/provider-sdk';
import { main } from '@cairn/provider-sdk/plugin';
const folder = ${JSON.stringify('WORLD')};
const inputs = { title: s.string().replaceOnChange(), text: s.string() };
const note = defineResource({
  inputs,
  outputs: { ...inputs, words: s.integer() },
  idempotencyToken: true,
  repeatable: ['update', 'delete'],
  create: async (given) => {
    const id = ${keeps ? 'given.title' : "given.title + '-' + (await readdir(folder)).length"};
    await writeFile(folder + '/' + id, given.text);
    return { id, outputs: { ...given, words: given.text.split(' ').length } };
  },
  read: async (id, known) => {
    const text = await readFile(folder + '/' + id, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const found = { title: known?.inputs.title ?? id, text };
    return { id, inputs: found, outputs: { ...found, words: text.split(' ').length } };
  },
  update: async (old, given) => {
    ${keeps ? "await writeFile(folder + '/' + old.id, given.text);" : ''}
    return { ...given, words: given.text.split(' ').length };
  },
  delete: async ({ id }) => rm(folder + '/' + id, { force: true }),
});
await main(defineProvider({ name: 'notes', version: '1.0.0', resources: { 'index:Note': note } }));
`;

/** A provider on the other SDK, which has no read of its own. */
const ACME = `
const pulumi = require('@pulumi/pulumi');
const provider = {
  version: '2.0.0',
  schema: JSON.stringify({ name: 'acme', version: '2.0.0', resources: { 'acme:index:Thing': { inputProperties: { size: { type: 'integer' } }, requiredInputs: ['size'] } } }),
  async check(urn, olds, news) { return { inputs: news, failures: news.size > 9 ? [{ property: 'size', reason: 'is too large' }] : [] }; },
  async diff(id, urn, olds, news) { return { changes: olds.size !== news.size, replaces: [], deleteBeforeReplace: false }; },
  async create(urn, inputs) { return { id: 'thing', outs: { ...inputs, colour: 'red' } }; },
  async read(id, urn, props) { return { id, props }; },
  async update(id, urn, olds, news) { return { outs: { ...news, colour: 'red' } }; },
  async delete() {},
};
pulumi.provider.main(provider, process.argv.slice(2));
`;

const PLAN = `
resources:
  - type: notes:index:Note
    inputs: { title: first, text: a b c }
    changes:
      - inputs: { text: d e }
        replaces: false
      - inputs: { title: second }
        replaces: true
    invalid: { title: 3 }
    drift: echo other > "WORLD/$CAIRN_ID"
`;

describe('cairn provider test', () => {
  let box: Sandbox;
  const world = () => path.join(box.directory, 'world');
  const inWorld = (text: string) => text.replaceAll('WORLD', world());
  beforeAll(() => {
    box = sandbox({
      'world/.keep': '',
      'acme/PulumiPlugin.yaml': 'runtime: nodejs\n',
      'acme/package.json': JSON.stringify({
        name: 'acme',
        main: 'index.js',
        dependencies: { '@pulumi/pulumi': '*' },
      }),
      'acme/index.js': ACME,
    });
    const manifest = (name: string) => JSON.stringify({ name, version: '1.0.0', type: 'module' });
    for (const [folder, keeps] of [
      ['good', true],
      ['bad', false],
    ] as const) {
      box.write(`${folder}/package.json`, manifest(folder));
      box.write(`${folder}/pulumi-resource-notes`, inWorld(notes(keeps)));
      chmodSync(path.join(box.directory, folder, 'pulumi-resource-notes'), 0o755);
    }
    box.write('provider-test.yaml', inWorld(PLAN));
  });
  afterAll(() => box.remove());

  const report = async (...words: readonly string[]): Promise<Report> => {
    const { stdout } = await box.cairn(['provider', 'test', ...words, '--json']);
    return JSON.parse(stdout) as Report;
  };
  const verdicts = ({ resources }: Report) =>
    Object.fromEntries(
      resources.flatMap(({ findings }) => findings.map(({ promise, verdict }) => [promise, verdict])),
    );
  const left = () => readdirSync(world()).filter((name) => name !== '.keep');
  const processes = () =>
    spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line.includes(box.directory));

  test('a provider that keeps its word: exit code 0, and nothing is left of it', async () => {
    const { text } = expectOk(await box.cairn(['provider', 'test', './good']));
    expect(text).toMatch(/kept +an update does what the diff announced/);
    expect(text).toMatch(/kept +a killed create leaves at most one object/);
    expect(text).toContain('corrected by an update');
    expect(text).toContain('the user is asked about nothing');
    expect(text).toMatch(/\d+ kept, 0 broken/);
    expect(left()).toEqual([]);
    expect(processes()).toEqual([]);
  });

  test('a provider that breaks promises: each is named with what was seen, and the exit code says so', async () => {
    const { code, text } = await box.cairn(['provider', 'test', './bad/pulumi-resource-notes']);
    expect(code).toBe(4);
    expect(text).toMatch(
      /BROKEN +a repeated create with the same token creates no second object\n +the first create made first-1, the second first-2/,
    );
    expect(text).toMatch(
      /BROKEN +an update does what the diff announced\n +a read after it shows that it did not do text/,
    );
    expect(left()).toEqual([]);
    expect(processes()).toEqual([]);
  });

  test('a plugin on @pulumi/pulumi: what it keeps, and what the engine will ask', async () => {
    box.write(
      'acme.yaml',
      'resources:\n  - type: acme:index:Thing\n    inputs: { size: 1 }\n    changes: [{ inputs: { size: 2 }, replaces: false }]\n    invalid: { size: 10 }\n',
    );
    const found = await report('./acme', '--file', 'acme.yaml');
    expect([found.provider, found.broken]).toEqual(['acme', 0]);
    expect(verdicts(found)).toMatchObject({
      'mistakes are refused before anything is created': 'kept',
      'known values in a preview are applied': 'not-promised',
      'an update does what the diff announced': 'kept',
      'a read looks at the object': 'not-promised',
      'a delete removes the object': 'not-promised',
      'a killed create leaves at most one object, which is found again': 'not-promised',
    });
    expect(found.resources[0]?.questions.map((question) => question.replace(/ that.*/, ''))).toEqual([
      'a create',
      'an object',
      'an update',
      'a delete',
    ]);
    expect(processes()).toEqual([]);
  });

  test('ours by name: files look at the world, random values are a record', async () => {
    box.write(
      'ours.yaml',
      `resources:
  - type: cairn-local:index:File
    inputs: { path: a.txt, content: one }
    changes: [{ inputs: { content: two }, replaces: false }, { inputs: { path: b.txt }, replaces: true }]
    drift: echo three > "$CAIRN_OUTPUT_path"
`,
    );
    const local = await report('cairn-local', '-f', 'ours.yaml');
    expect(local.broken).toBe(0);
    expect(local.resources[0]?.questions).toEqual([]);
    box.write('random.yaml', 'resources:\n  - type: cairn-random:index:Id\n    inputs: { byteLength: 4 }\n');
    const random = await report('cairn-random', '-f', 'random.yaml');
    expect(random.broken).toBe(0);
    expect(verdicts(random)['a read looks at the object']).toBe('not-promised');
  });

  test('--init writes a file to start from, and never over one', async () => {
    expectOk(await box.cairn(['provider', 'test', 'acme/', '--init', '--file', 'start.yaml']));
    expect(readFileSync(path.join(box.directory, 'start.yaml'), 'utf8')).toContain(
      '- type: acme:index:Thing\n    inputs:\n      size: 1\n',
    );
    const { code, text } = await box.cairn(['provider', 'test', 'acme/', '--init', '--file', 'start.yaml']);
    expect(code).toBe(2);
    expect(text).toContain('cannot write');
  });

  test.each([
    [['./nowhere'], 'cannot find a provider at ./nowhere'],
    [['./world'], 'the folder has no PulumiPlugin.yaml'],
    [['nobody-has-this'], 'cannot find the provider plugin nobody-has-this'],
    [['./good', '--file', 'missing.yaml'], 'cannot read'],
  ])('%j is refused', async (words, message) => {
    const { code, text } = await box.cairn(['provider', 'test', ...words]);
    expect(code).not.toBe(0);
    expect(text).toContain(message);
  });
});
