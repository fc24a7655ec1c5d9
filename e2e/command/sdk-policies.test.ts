import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Policy packs written with `@cairn/sdk/policy`. */

const PROGRAM = `
import { Config, secret } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';
const config = new Config();
new LocalFile('note', { path: 'out/note.txt', content: config.get('text') ?? 'fine' });
new LocalFile('pet', { path: 'out/pet.txt', content: new RandomPet('pet', {}).result });
new LocalFile('login', { path: 'out/login.txt', content: secret('planted-login') });
`;

const PACK = `
import { ofType, policyPack, resourcePolicy, setting, stackPolicy } from '@cairn/sdk/policy';

interface File { readonly path: string; readonly content: string }
const FILE = ofType<File>('cairn-local:index:File');

export default policyPack({
  name: 'house',
  description: 'House rules',
  policies: [
    resourcePolicy({
      name: 'polite',
      description: 'Files say please.',
      severity: 'low',
      of: FILE,
      validate({ name, props }, { report }) {
        if (name === 'note' && !props.content.includes('please')) report('say please');
      },
    }),
    resourcePolicy({
      name: 'short',
      description: 'Files are short.',
      enforcementLevel: 'mandatory',
      of: FILE,
      settings: { max: setting.integer({ minimum: 1, default: 60 }), ignore: setting.list(setting.text(), { default: [] }) },
      validate({ name, props }, { config, report }) {
        const max: number = config.max;
        if (!config.ignore.includes(name) && props.content.length > max) report('longer than ' + max);
      },
    }),
    resourcePolicy({
      name: 'signed',
      description: 'Files end with a signature.',
      enforcementLevel: 'remediate',
      of: FILE,
      remediate: ({ props }) => (props.content.endsWith(' --me') ? undefined : { content: props.content + ' --me' }),
      validate({ props }, { report }) {
        if (!props.content.endsWith('--me')) report('not signed');
      },
    }),
    resourcePolicy({
      name: 'sound',
      enforcementLevel: 'mandatory',
      of: FILE,
      async validate({ props }) {
        await Promise.resolve();
        if (props.content.startsWith('crash')) throw new RangeError('cannot judge it');
      },
    }),
    resourcePolicy({ name: 'off', enforcementLevel: 'disabled', validate: (_, { report }) => report('always') }),
    stackPolicy({
      name: 'few',
      description: 'Few resources.',
      enforcementLevel: 'mandatory',
      validate(resources, { report, stack }) {
        const files = resources.filter(({ type }) => type === FILE);
        if (stack.config['shop:few'] === 'true' && files.length > 1)
          report('too many files on ' + stack.stack + ', such as ' + files[0]?.props.path, files[0]?.urn);
      },
    }),
  ],
});
`;

let box: Sandbox;
const pack = (): string => path.join(box.directory, '..', 'pack');
beforeAll(async () => {
  box = sandbox({ 'index.ts': PROGRAM });
  mkdirSync(pack());
  const files = {
    'PulumiPolicy.yaml': 'description: House rules\nruntime: nodejs\n',
    'package.json': JSON.stringify({
      ...{ name: 'house', version: '2.3.4', private: true, type: 'module' },
      dependencies: { '@cairn/sdk': '*' },
    }),
    'index.ts': PACK,
    'strict.json': JSON.stringify({ short: { max: 5, ignore: ['pet', 'login'] }, polite: 'mandatory' }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(pack(), name), text);
  giveStack(box);
});
afterAll(() => box.remove());

const packFlags = ['--policy-pack', '../pack'];
const up = ['up', '--yes', '--skip-preview', ...packFlags];
const file = (name: string) => readFileSync(path.join(box.directory, 'out', `${name}.txt`), 'utf8');

test('a preview does not judge, or correct, what it does not know', async () => {
  const { stdout } = expectOk(await box.cairn(['preview', ...packFlags]));
  expect(stdout).toMatch(/\[remediate\] signed {2}cairn-local:index:File note {2}sets content/);
  expect(stdout).not.toMatch(/signed {2}cairn-local:index:File pet/);
});

test('advisory violations are told, corrections are applied and keep secrets, disabled policies are silent', async () => {
  const { stdout } = expectOk(await box.cairn(up));
  expect(stdout).toContain('house@v2.3.4 (local: ../pack): 1 broken');
  expect(stdout).toMatch(/\[remediate\] signed {2}cairn-local:index:File note {2}sets content/);
  expect(stdout).toMatch(
    /\[advisory\] polite \(low\) {2}cairn-local:index:File note: (?:Files say please\. )?say please\n/,
  );
  expect(stdout).not.toContain('always');
  expect([file('note'), file('login')]).toEqual(['fine --me', 'planted-login --me']);
  expect(file('pet')).toMatch(/^\w+-\w+ --me$/);
  expect(stdout).not.toContain('planted');
  const state = readFileSync(path.join(box.state, '.pulumi/stacks/shop/dev.json'), 'utf8');
  expect(state).not.toContain('planted');
});

test('a mandatory violation refuses the update, by default settings', async () => {
  const { code, text } = await box.cairn([...up, '-c', `text=please ${'x'.repeat(60)}`]);
  expect(code).toBe(5);
  expect(text).toContain('breaks the mandatory policy "short" of house');
  expect(text).toContain('longer than 60');
  expect(file('note')).toBe('fine --me');
});

test('the configuration of the pack changes levels and settings, by its schema', async () => {
  const strict = await box.cairn([
    ...up,
    '--policy-pack-config',
    '../pack/strict.json',
    '-c',
    'text=whatever',
  ]);
  expect(strict.code).toBe(5);
  expect(strict.text).toContain('breaks 2 mandatory policies: "polite" of house, "short" of house');
  expect(strict.text).toContain('longer than 5');
  writeFileSync(path.join(pack(), 'wrong.json'), '{"short":{"max":0}}');
  const wrong = await box.cairn([...up, '--policy-pack-config', '../pack/wrong.json']);
  expect(wrong.code).not.toBe(0);
  expect(wrong.text).toContain('short: max must be at least 1');
  writeFileSync(path.join(pack(), 'off.json'), '{"all":"disabled"}');
  const off = expectOk(await box.cairn([...up, '--policy-pack-config', '../pack/off.json']));
  expect(off.stdout).not.toContain('say please');
  expect(file('note')).toBe('whatever');
});

test('a stack policy fails the run and may name a resource; the changes stand', async () => {
  expectOk(await box.cairn(['config', 'set', 'few', 'true']));
  const { code, text } = await box.cairn([...up, '-c', 'text=please']);
  expect(code).toBe(5);
  expect(text).toContain('the mandatory policy "few" of house');
  expect(text).toMatch(/too many files on dev, such as out\/\w+\.txt/);
  expect(file('note')).toBe('please --me');
  expectOk(await box.cairn(['config', 'rm', 'few']));
});

test('an error in a policy ends the operation and names pack, policy, resource and line', async () => {
  const { code, text } = await box.cairn([...up, '-c', 'text=crash']);
  expect(code).not.toBe(0);
  const line = PACK.split('\n').findIndex((each) => each.includes('RangeError')) + 1;
  expect(text).toMatch(/policy "sound" of house failed on urn:\S+::note: RangeError: cannot judge it/);
  expect(text).toContain(`index.ts:${line}:`);
  expect(file('note')).toBe('please --me');
});

test.each([
  ['no pack', `export default {};`, 'is not a policy pack: export the result of policyPack'],
  ['a pack that throws', `\nthrow new Error('no rules today');`, 'no rules today'],
  [
    'two policies of one name',
    `import { policyPack, stackPolicy } from '@cairn/sdk/policy';
const one = stackPolicy({ name: 'one', validate() {} });
export default policyPack({ name: 'x', policies: [one, one] });`,
    'there are two policies "one"',
  ],
])('%s changes nothing, and says why', async (_title, text, expected) => {
  const folder = path.join(box.directory, '..', 'broken');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(path.join(folder, 'PulumiPolicy.yaml'), 'runtime: nodejs\n');
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module","dependencies":{"@cairn/sdk":"*"}}');
    writeFileSync(path.join(folder, 'index.ts'), text);
    const end = await box.cairn(['preview', '--policy-pack', '../broken']);
    expect(end.code).not.toBe(0);
    expect(end.text).toContain(expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
