import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const PLANTED = 'planted-s3cret-value-77';
const NESTED = 'planted-nested-value-78';

const program = `
import { Config, secret } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';

const config = new Config();
console.log('the program knows', config.get('token'), JSON.stringify(config.getObject('nested')));
const pet = new RandomPet('pet', { length: 1 });
new RandomPet('other', { length: 1, keepers: { pet: pet.result } });
if (config.get('failing') === 'yes') {
  new LocalCommand('failing', { create: 'echo "no entry with $TOKEN" >&2; exit 3', environment: { TOKEN: config.requireSecret('token') } });
}
export const text = "it's";
export const number = 5;
export const nothing = null;
export const list = { a: [1, secret('hidden-in-a-list')] };
export const hidden = secret('hidden-output');
`;

/** Every document of a text of one JSON document a line. */
function lines(text: string): readonly Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a stack seen through the command line', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox({ 'index.ts': program });
    giveStack(box);
    expectOk(await box.cairn(['config', 'set', '--secret', 'token'], { input: PLANTED }));
    expectOk(await box.cairn(['config', 'set', '--path', 'nested.list[0]', '5']));
    expectOk(await box.cairn(['config', 'set', '--path', '--secret', 'nested.list[1]'], { input: NESTED }));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--message', 'the first']));
  });
  afterAll(() => box.remove());

  test.each<[string, string[], unknown]>([
    [
      'a text of the configuration inside a structure',
      ['config', 'get', '--path', 'nested.list[0]', '--json'],
      { value: '5', secret: false },
    ],
    [
      'the list of the configuration',
      ['config', '--json'],
      { 'shop:nested': { secret: true }, 'shop:token': { secret: true } },
    ],
    [
      'the outputs',
      ['stack', 'output', '--json'],
      { hidden: '[secret]', list: { a: [1, '[secret]'] }, nothing: null, number: 5, text: "it's" },
    ],
    ['one output', ['stack', 'output', 'list', '--json'], { a: [1, '[secret]'] }],
    [
      'the stacks',
      ['stack', 'ls', '--json'],
      [{ name: 'dev', current: true, lastUpdate: expect.any(String) as string, resourceCount: 4 }],
    ],
    [
      'the history',
      ['stack', 'history', '--json'],
      [
        expect.objectContaining({
          kind: 'update',
          result: 'succeeded',
          message: 'the first',
          config: { 'shop:nested': { secret: true }, 'shop:token': { secret: true } },
        }),
      ],
    ],
  ])('JSON of %s: one document and nothing else', async (_title, words, document) => {
    const said = expectOk(await box.cairn(words));
    expect(JSON.parse(said.stdout)).toEqual(document);
    expect(said.stderr).toBe('');
  });

  test.each<[string, string[], string]>([
    ['one output, bare', ['stack', 'output', 'text'], "it's\n"],
    [
      'outputs for a shell',
      ['stack', 'output', '--shell'],
      `hidden='[secret]'\nlist='{"a":[1,"[secret]"]}'\nnothing='null'\nnumber='5'\ntext='it'\\''s'\n`,
    ],
    ['one output for a shell', ['stack', 'output', 'text', '--shell'], `text='it'\\''s'\n`],
    ['the name of the stack', ['stack', '--show-name'], 'dev\n'],
  ])('%s', async (_title, words, stdout) => {
    expect(expectOk(await box.cairn(words)).stdout).toBe(stdout);
  });

  test.each<[string, string[], RegExp[]]>([
    ['outputs', ['stack', 'output', '--json', '--show-secrets'], [/hidden-output/, /hidden-in-a-list/]],
    ['configuration', ['config', '--show-secrets'], [new RegExp(PLANTED), new RegExp(NESTED)]],
    ['history', ['stack', 'history', '--json', '--show-secrets'], [new RegExp(PLANTED), new RegExp(NESTED)]],
    ['a preview', ['preview', '--show-secrets'], [new RegExp(PLANTED)]],
    ['a preview with steps', ['preview', '--show-secrets', '--json'], [/hidden-output/]],
  ])('--show-secrets shows them, and says so on stderr: %s', async (_title, words, shown) => {
    const said = expectOk(await box.cairn(words));
    for (const secret of shown) expect(said.stdout).toMatch(secret);
    expect(said.stdout).not.toContain('"secure"');
    expect(said.stderr).toContain('warning: secrets are shown in the clear');
  });

  test.each<[string, string[]]>([
    ['config set', ['config', 'set', 'a', 'b']],
    ['config', ['config']],
    ['stack --show-name', ['stack', '--show-name']],
    ['stack history', ['stack', 'history']],
    ['cancel', ['cancel', '--yes']],
    ['up', ['up', '--yes']],
  ])('a stack that is not there: %s ends with 6 and leaves no file', async (_title, words) => {
    const said = await box.cairn([...words, '--stack', 'typo']);
    expect([said.code, said.stdout]).toEqual([6, '']);
    expect(said.stderr).toContain('error[CAIRN-STACK-NOT-FOUND]');
    expect(existsSync(path.join(box.directory, 'Cairn.typo.yaml'))).toBe(false);
  });

  test('preview --json: one document with what was said; unchanged steps only when asked for', async () => {
    const [short, full] = await Promise.all([
      box.cairn(['preview', '--json']),
      box.cairn(['preview'], { env: { PULUMI_OPTION_JSON: 'true', CAIRN_OPTION_SHOW_SAMES: 'true' } }),
    ]);
    const documents = [short, full].map(
      (said) => JSON.parse(expectOk(said).stdout) as { steps: unknown[]; diagnostics: { message: string }[] },
    );
    expect(documents.map((document) => document.steps.length)).toEqual([1, 3]);
    expect(documents[0]?.diagnostics[0]?.message).toContain('the program knows [secret]');
  });

  test('up --json: events only, numbered, secrets masked also where a program or a command wrote them', async () => {
    const said = await box.cairn(['up', '--yes', '--json', '--config', 'failing=yes']);
    expect(said.code).toBe(4);
    const events = lines(said.stdout);
    const sequence = events.map((event) => Number(event['sequence']));
    // Events of the engine itself are counted and not shown.
    expect(sequence).toEqual([...new Set(sequence)].sort((a, b) => a - b));
    expect(sequence[0]).toBe(0);
    expect(events.at(-1)).toHaveProperty('cancelEvent');
    const errors = events.filter(
      (event) => (event['diagnosticEvent'] as { severity?: string } | undefined)?.severity === 'error',
    );
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).toContain('no entry with [secret]');
    expect(said.stdout).toContain('the program knows [secret]');
    for (const secret of [PLANTED, NESTED, 'hidden-output']) expect(said.text).not.toContain(secret);
  });

  test('a failure is told once, in plain lines, and keeps the secret', async () => {
    const said = await box.cairn(['up', '--yes', '--skip-preview', '--debug', '--diff']);
    expect(said.code).toBe(4);
    expect(said.text.split('error[')).toHaveLength(2);
    for (const secret of [PLANTED, NESTED, 'hidden-output']) expect(said.text).not.toContain(secret);
    expectOk(await box.cairn(['config', 'rm', 'failing']));
  });

  test.each<[string, string[], number]>([
    ['one that names nothing', ['urn:pulumi:dev::shop::a:b:C::gone'], 4],
    ['a wildcard', ['**::pet'], 0],
    ['a URN', ['urn:pulumi:dev::shop::cairn-random:index:Pet::pet'], 0],
  ])('--target: %s', async (_title, targets, code) => {
    const said = await box.cairn(['preview', ...targets.flatMap((target) => ['--target', target])]);
    expect(said.code).toBe(code);
  });

  test.each<[string, string[], number, string]>([
    ['with --target', ['--target', '**::pet', '--exclude', '**::other'], 2, 'cannot be given together'],
    ['of everything', ['--exclude', '**', '--expect-no-changes'], 0, 'unchanged'],
  ])('--exclude %s', async (_title, flags, code, text) => {
    const said = await box.cairn(['preview', ...flags]);
    expect([said.code, said.text]).toEqual([code, expect.stringContaining(text)]);
  });

  test('--target-replace replaces one resource, and nothing else changes', async () => {
    const said = await box.cairn(['preview', '--target-replace', '**::pet']);
    expectOk(said);
    expect(said.stdout).toMatch(/Pet pet\s+replace/);
    expect(said.stdout).not.toMatch(/Pet other\s+replace/);
    const missing = await box.cairn(['preview', '--replace', 'urn:pulumi:dev::shop::a:b:C::gone']);
    expect(missing.code).toBe(4);
    expect(missing.text).toContain('one or more targets could not be found in the stack');
  });

  test('--expect-no-changes ends with 7 when something would change', async () => {
    expectOk(await box.cairn(['preview', '--expect-no-changes', '--target', '**::pet']));
    box.write('index.ts', program.replace('length: 1 }', 'length: 2 }'));
    const said = await box.cairn([
      'preview',
      '--expect-no-changes',
      '--target',
      '**::pet',
      '--target-dependents',
    ]);
    expect(said.stdout.match(/Pet \w+ replace/g)).toEqual(['Pet pet replace', 'Pet other replace']);
    expect(said.stderr).toContain('error[CAIRN-UNEXPECTED-CHANGES]: no changes were expected');
    expect(said.code).toBe(7);
    box.write('index.ts', program);
  });

  test('--cwd is where the project is, for relative files too', async () => {
    const said = await box.cairn(['-C', 'project', 'stack', 'export', '--file', 'kept.json'], {
      cwd: path.dirname(box.directory),
    });
    expectOk(said);
    expect(statSync(path.join(box.directory, 'kept.json')).isFile()).toBe(true);
  });

  test('colour only when asked for', async () => {
    const [plain, painted] = await Promise.all([
      box.cairn(['preview']),
      box.cairn(['preview', '--color', 'always']),
    ]);
    expect(plain.text).not.toContain('\u001b');
    expect(painted.stdout).toContain('\u001b[1m');
  });

  test('destroy --remove leaves no stack, no configuration file and no lock', async () => {
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview', '--remove']));
    expect(readdirSync(box.directory)).not.toContain('Cairn.dev.yaml');
    expect(JSON.parse(expectOk(await box.cairn(['stack', 'ls', '--json'])).stdout)).toEqual([]);
    const files = readdirSync(box.state, { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(box.state, name),
    );
    expect(files.filter((file) => file.includes('locks') && statSync(file).isFile())).toEqual([]);
    for (const file of files.filter((name) => statSync(name).isFile()))
      expect(readFileSync(file, 'utf8')).not.toContain(PLANTED);
  });
});

describe('a terminated preview', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s: ends with 8, changes nothing, holds no lock',
    async (signal) => {
      const box = sandbox({
        'index.ts': `console.log('the program runs'); await new Promise((resolve) => setTimeout(resolve, 60_000));`,
      });
      try {
        giveStack(box);
        const running = box.start(['up', '--yes']);
        await running.shown('the program runs');
        running.process.kill(signal);
        const end = await running.finished;
        expect([end.code, end.signal]).toEqual([8, null]);
        expect(end.text.split('error[')).toHaveLength(2);
        expect(end.stdout).not.toContain('Updating');
        expect(expectOk(await box.cairn(['cancel'])).stderr).toContain('is not locked');
      } finally {
        box.remove();
      }
    },
  );
});
