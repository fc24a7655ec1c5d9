import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Providers that are functions of a program on `@cairn/sdk`. Objects are files in a folder; every call is counted. */

const NOTES = `
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dynamicProvider, dynamicResource } from '@cairn/sdk';
import { pathOf } from './paths.js';

const count = (call: string, of: string) => appendFileSync(pathOf('calls.log'), call + ' ' + of + '\\n');
const broken = () => existsSync(pathOf('broken'));

export const notes = dynamicProvider({
  config: ['shelf', 'token'],
  replaceOnChange: ['title'],
  secretOutputs: ['stamp'],
  check(inputs: { title: string; text: string; tags?: string[] }) {
    return inputs.title === '' ? [{ property: 'title' as const, reason: 'must not be empty' }] : [];
  },
  async create(inputs, { config, signal }) {
    count('create', inputs.title);
    if (broken()) throw new RangeError('no room for ' + inputs.text);
    writeFileSync(pathOf(inputs.title + '.note'), inputs.text);
    console.log('made ' + inputs.title);
    while (existsSync(pathOf('slow')) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 50));
    return {
      id: inputs.title,
      outputs: { text: inputs.text, size: inputs.text.length, shelf: config.shelf + ' ' + config.token?.length, stamp: 'stamp-of-' + inputs.title },
    };
  },
  read(id, known) {
    count('read', id);
    const file = pathOf(id + '.note');
    if (!existsSync(file)) return undefined;
    const text = readFileSync(file, 'utf8');
    return {
      id,
      inputs: { ...known?.inputs, title: id, text },
      outputs: { text, size: text.length, shelf: known?.outputs.shelf ?? '', stamp: known?.outputs.stamp ?? '' },
    };
  },
  update(old, inputs) {
    count('update', old.id);
    writeFileSync(pathOf(old.id + '.note'), inputs.text);
    return { outputs: { ...old.outputs, text: inputs.text, size: inputs.text.length } };
  },
  delete({ id }) {
    count('delete', id);
    rmSync(pathOf(id + '.note'), { force: true });
  },
  lookup: ({ title }) => (existsSync(pathOf(title + '.note')) ? [title] : []),
});

export class Note extends dynamicResource('Note', notes) {}
`;
const PATHS = `
import path from 'node:path';
export const pathOf = (name: string): string => path.join(process.env.NOTES!, name);
`;
const PROGRAM = `
import { Config, interpolate } from '@cairn/sdk';
import { Note } from './notes.js';
const config = new Config();
const first = new Note('first', { title: config.get('title') ?? 'one', text: config.get('text') ?? 'hello' });
const second = new Note('second', { title: 'two', text: interpolate\`\${first.text} at \${first.size}\` });
const size: number = 0;
export const sizes = [first.size.apply((known) => known + size), second.size];
export const shelf = first.shelf;
export const stamp = first.stamp;
`;

interface Entry {
  readonly urn: string;
  readonly id?: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
}

const up = ['up', '--yes', '--skip-preview'] as const;

function notebook(files: Record<string, string> = {}) {
  const box = sandbox({ 'index.ts': PROGRAM, 'notes.ts': NOTES, 'paths.ts': PATHS, ...files });
  const folder = path.join(box.home, 'notes');
  mkdirSync(folder);
  box.env['NOTES'] = folder;
  return {
    box,
    folder,
    /** Returns the calls since the last question. */
    calls: () => {
      const file = path.join(folder, 'calls.log');
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      rmSync(file, { force: true });
      return text.split('\n').filter((line) => line !== '');
    },
    notes: () => readdirSync(folder).filter((name) => name.endsWith('.note')),
    text: (name: string) => readFileSync(path.join(folder, `${name}.note`), 'utf8'),
    set: (name: string) => writeFileSync(path.join(folder, name), ''),
    unset: (name: string) => rmSync(path.join(folder, name)),
  };
}

async function entries(box: Sandbox): Promise<ReadonlyMap<string, Entry>> {
  const { stdout } = expectOk(await box.cairn(['stack', 'export']));
  const { deployment } = JSON.parse(stdout) as { deployment: { resources?: Entry[] } };
  return new Map((deployment.resources ?? []).map((entry) => [entry.urn.split('::').at(-1) ?? '', entry]));
}

describe('the life of a resource whose provider is in the program', () => {
  const { box, calls, notes, text, folder } = notebook();
  beforeAll(async () => {
    giveStack(box);
    expectOk(await box.cairn(['config', 'set', 'shelf', 'upper']));
    expectOk(await box.cairn(['config', 'set', '--secret', 'token', 'planted-token']));
  });
  afterAll(() => box.remove());

  test('a preview calls nothing and does not pretend to know', async () => {
    const { stdout } = expectOk(await box.cairn(['preview']));
    expect(stdout).toMatch(/shelf *: output<string>/);
    expect(calls()).toEqual([]);
  });

  test('the functions serve, with what they asked for of the configuration, and what they print is shown', async () => {
    const end = expectOk(await box.cairn(up));
    expect(end.stdout).toMatch(/shelf *: "upper 13"/);
    expect(end.stdout).toMatch(/stamp *: \[secret\]/);
    expect(end.text).toContain('made one');
    expect(calls()).toEqual(['create one', 'create two']);
    expect(text('two')).toBe('hello at 5');
  });

  test('a bundle and the name of an export are stored once, and no secret', async () => {
    const found = await entries(box);
    expect(found.get('Note')?.inputs).toMatchObject({
      export: 'notes',
      bundle: expect.any(String) as string,
    });
    expect(Object.keys(found.get('first')?.inputs ?? {})).toEqual(['text', 'title']);
    const state = readFileSync(path.join(box.state, '.pulumi/stacks/shop/dev.json'), 'utf8');
    expect(state.includes('planted-token') || state.includes('stamp-of-one')).toBe(false);
    expect(String(found.get('Note')?.inputs['bundle']).length).toBeLessThan(20_000);
    expect(String(found.get('Note')?.inputs['bundle'])).not.toContain(box.directory);
  });

  test('nothing changes, one input changes in place, another asks for a new object', async () => {
    expectOk(await box.cairn([...up, '--expect-no-changes']));
    expect(calls()).toEqual([]);
    expectOk(await box.cairn([...up, '-c', 'text=hi']));
    expect(calls()).toEqual(['update one', 'update two']);
    expectOk(await box.cairn([...up, '-c', 'title=eins']));
    expect(calls()).toEqual(['create eins', 'delete one']);
    expect(notes().sort()).toEqual(['eins.note', 'two.note']);
  });

  test('inputs are checked by the program', async () => {
    const { code, text: said } = await box.cairn([...up, '-c', 'title=']);
    expect(code).not.toBe(0);
    expect(said).toMatch(/title.*must not be empty/);
    expectOk(await box.cairn(['config', 'rm', 'title']));
    expectOk(await box.cairn(['config', 'set', 'title', 'eins']));
    calls();
  });

  test('changed code is used, and replaces nothing', async () => {
    box.write('notes.ts', NOTES.replaceAll("count('update'", "count('renew'"));
    const { stdout } = expectOk(await box.cairn([...up, '-c', 'text=again']));
    expect(stdout).toMatch(/3 (?:updated|changed)/);
    expect(calls()).toEqual(['renew eins', 'renew two']);
  });

  test('an error names the function and its line', async () => {
    writeFileSync(path.join(folder, 'broken'), '');
    const { code, text: said } = await box.cairn([...up, '-c', 'title=drei']);
    expect(code).not.toBe(0);
    const line = NOTES.split('\n').findIndex((each) => each.includes('RangeError')) + 1;
    expect(said).toContain('create failed: RangeError: no room for again');
    expect(said).toContain(`at notes.ts:${line}:`);
    rmSync(path.join(folder, 'broken'));
    calls();
  });

  test('without the program, refresh looks and destroy deletes', async () => {
    expectOk(await box.cairn(['config', 'set', 'title', 'eins']));
    await box.cairn(['up', '--yes', '--skip-preview']);
    for (const file of ['index.ts', 'notes.ts', 'paths.ts', 'package.json'])
      rmSync(path.join(box.directory, file));
    calls();
    writeFileSync(path.join(folder, 'two.note'), 'changed by hand');
    expectOk(await box.cairn(['refresh', '--yes', '--skip-preview']));
    expect((await entries(box)).get('second')?.outputs).toMatchObject({ text: 'changed by hand', size: 15 });
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
    expect(notes()).toEqual([]);
    expect(
      calls()
        .filter((each) => each.startsWith('delete'))
        .sort(),
    ).toEqual(['delete eins', 'delete two']);
  });
});

describe('what cannot be stored is refused with its line', () => {
  const plain = (
    provider: string,
  ) => `import { Config, dynamicProvider, dynamicResource, output } from '@cairn/sdk';
import { RandomPet } from '@cairn/provider-random';
${provider}
export class Note extends dynamicResource('Note', notes) {}
`;
  const program = `import { Note } from './notes.js';\nnew Note('first', { text: 'x' });\n`;
  const create = `create: async ({ text }: { text: string }) => ({ id: text, outputs: {} })`;

  test.each<[string, Record<string, string>, string[]]>([
    [
      'a provider that is no export',
      { 'notes.ts': plain(`const notes = dynamicProvider({ ${create} });`) },
      ['no export of its module is this provider', 'at notes.ts:3:15'],
    ],
    [
      'a provider that a function makes, with what it captures',
      {
        'notes.ts': plain(`const make = (shelf: string) =>
  dynamicProvider({ create: async ({ text }: { text: string }) => ({ id: shelf + text, outputs: {} }) });
const notes = make(new Date().toISOString());`),
      },
      ['no export of its module is this provider', 'at notes.ts:4:3'],
    ],
    [
      'a setting that is read when the module is loaded',
      {
        'notes.ts': plain(`const shelf = new Config('x').get('shelf');
export const notes = dynamicProvider({ create: async ({ text }: { text: string }) => ({ id: text, outputs: { shelf } }) });`),
      },
      ['new Config of @cairn/sdk needs a running program', 'at notes.ts:3:15'],
    ],
    [
      'an output of a resource',
      {
        'notes.ts': plain(`const pet = new RandomPet('pet', {});
export const notes = dynamicProvider({ create: async ({ text }: { text: string }) => ({ id: text, outputs: { pet: pet.result } }) });`),
      },
      ['needs a running program', 'at notes.ts:3:13'],
    ],
    [
      'a provider in the entry module',
      {
        'index.ts': `import { dynamicProvider, dynamicResource } from '@cairn/sdk';
export const notes = dynamicProvider({ ${create} });
class Note extends dynamicResource('Note', notes) {}
new Note('first', { text: 'x' });
`,
      },
      ['it is in the entry module of the program', 'move it to its own module', 'at index.ts:2:22'],
    ],
    [
      'two providers of one type',
      {
        'notes.ts': plain(`export const notes = dynamicProvider({ ${create} });
export class Other extends dynamicResource('Note', dynamicProvider({ ${create} })) {}`),
        'index.ts': `import { Note, Other } from './notes.js';\nnew Note('a', { text: 'x' });\nnew Other('b', { text: 'x' });\n`,
      },
      ['another one exists for that type, at', 'notes.ts:3:22', 'at notes.ts:4:52'],
    ],
    [
      'a module that cannot be bundled',
      {
        'notes.ts': plain(`import { gone } from 'not-installed';
export const notes = dynamicProvider({ create: async ({ text }: { text: string }) => ({ id: gone + text, outputs: {} }) });`),
        'node_modules/not-installed/package.json': '{"name":"not-installed","main":"index.js"}',
        'node_modules/not-installed/index.js': `exports.gone = require('./native.node');`,
        'node_modules/not-installed/native.node': '',
      },
      ['native.node'],
    ],
  ])('%s', async (_title, files, expected) => {
    const box = sandbox({ 'index.ts': program, ...files });
    try {
      giveStack(box);
      const { code, text } = await box.cairn(up);
      expect(code).not.toBe(0);
      for (const words of expected) expect(text).toContain(words);
      expect([...(await entries(box)).keys()].filter((name) => name === 'first')).toEqual([]);
    } finally {
      box.remove();
    }
  });
});

test('killed while the functions are at work, resume finds what was made and goes on', async () => {
  const { box, calls, set, unset, notes } = notebook();
  try {
    giveStack(box);
    set('slow');
    const running = box.start(up);
    await running.shown('made one');
    running.process.kill('SIGKILL');
    await running.finished;
    unset('slow');
    const resumed = await box.cairn(['resume', '--yes']);
    expect(resumed.text).not.toContain('CAIRN-BUG');
    expectOk(resumed);
    expect(calls().filter((each) => each.startsWith('create'))).toEqual(['create one', 'create two']);
    expect(notes().sort()).toEqual(['one.note', 'two.note']);
    expectOk(await box.cairn([...up, '--expect-no-changes']));
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
    expect(notes()).toEqual([]);
  } finally {
    box.remove();
  }
});

test('without read nothing is looked at, and without update a change asks for a new object', async () => {
  const { box, calls, folder } = notebook({
    'notes.ts': `
import { appendFileSync } from 'node:fs';
import { dynamicProvider, dynamicResource } from '@cairn/sdk';
export const notes = dynamicProvider({
  create: ({ text }: { text: string }, { fail }) => {
    if (text === 'never') fail('there is no paper');
    appendFileSync(process.env['NOTES'] + '/calls.log', 'create ' + text + '\\n');
    return { id: text, outputs: {} };
  },
});
export class Note extends dynamicResource('paper:Note', notes) {}
`,
    'index.ts': `
import { Config } from '@cairn/sdk';
import { Note } from './notes.js';
new Note('only', { text: new Config().get('text') ?? 'a' });
`,
  });
  try {
    giveStack(box);
    expectOk(await box.cairn(up));
    expectOk(await box.cairn(['refresh', '--yes', '--skip-preview']));
    expect(calls()).toEqual(['create a']);
    expectOk(await box.cairn([...up, '-c', 'text=b']));
    expect(calls()).toEqual(['create b']);
    const imported = await box.cairn(['import', 'cairn-dynamic:paper:Note', 'x', 'id', '--yes']);
    expect(imported.code).not.toBe(0);
    const failed = await box.cairn([...up, '-c', 'text=never']);
    expect(failed.code).not.toBe(0);
    expect(failed.text).toContain('there is no paper');
    expect(failed.text).not.toMatch(/in doubt/);
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    box.remove();
  }
});

test('an update that returns bare outputs is refused with the place of its provider', async () => {
  const bare = NOTES.replace('return { outputs: { ...old.outputs', 'return { ...{ ...old.outputs');
  const { box } = notebook({ 'notes.ts': bare });
  try {
    giveStack(box);
    expectOk(await box.cairn(up));
    const { code, text } = await box.cairn([...up, '-c', 'text=bare']);
    expect(code).not.toBe(0);
    const line = bare.split('\n').findIndex((each) => each.includes('dynamicProvider({')) + 1;
    expect(text).toContain('it must return { outputs }, as create does');
    expect(text).toContain(`at notes.ts:${line}:`);
  } finally {
    box.remove();
  }
});
