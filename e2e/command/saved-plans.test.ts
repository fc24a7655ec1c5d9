import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const program = (greeting: string): string => `
import { Config, interpolate } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';

console.log('page.txt and key.txt of the plan; a table of words');
const pet = new RandomPet('pet', { length: 2 });
new LocalFile('page', { path: 'page.txt', content: interpolate\`${greeting} \${pet.result}\` });
new LocalFile('key', { path: 'key.txt', content: new Config().requireSecret('planted') });
export const name = pet.result;
`;

describe('saved plans', () => {
  const planted = 'planted-s3cret-value-57';
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox({ 'index.ts': program('Hello') });
    expectOk(await box.cairn(['stack', 'init', 'other']));
    giveStack(box);
    expectOk(await box.cairn(['config', 'set', '--secret', 'planted'], { input: planted }));
    expectOk(await box.cairn(['config', 'set', '--secret', 'word', 'table']));
  });
  afterAll(() => box.remove());

  const at = (file: string): string => path.join(box.directory, file);

  test('a plan is saved, with its secrets sealed, and followed', async () => {
    expectOk(await box.cairn(['preview', '--save-plan', 'plan.json']));
    expect(existsSync(at('page.txt'))).toBe(false);
    const text = readFileSync(at('plan.json'), 'utf8');
    expect([text.includes(planted), text.includes('"ciphertext"')]).toEqual([false, true]);
    const followed = expectOk(await box.cairn(['up', '--yes', '--plan', 'plan.json']));
    // Texts of the plan are no secrets, and a short secret hides no word.
    expect(followed.text).toContain('page.txt and key.txt of the plan; a table of words');
    expect(readFileSync(at('key.txt'), 'utf8')).toBe(planted);
    expectOk(
      await box.cairn(['up', '--yes', '--plan', 'plan.json', '--skip-preview', '--expect-no-changes']),
    );
  });

  test('what the plan does not have is refused before anything is done', async () => {
    expectOk(await box.cairn(['preview', '--save-plan', 'same.json']));
    box.write('index.ts', program('Goodbye'));
    const before = readFileSync(at('page.txt'), 'utf8');
    for (const preview of [[], ['--skip-preview']]) {
      const refused = await box.cairn(['up', '--yes', '--plan', 'same.json', ...preview]);
      expect([refused.code, refused.text]).toEqual([
        1,
        expect.stringContaining('violates plan: properties changed'),
      ]);
    }
    expect(readFileSync(at('page.txt'), 'utf8')).toBe(before);
    expectOk(await box.cairn(['preview', '--save-plan', 'change.json', '--base', 'state']));
    const start = ['--base', readFileSync(at('state'), 'utf8')];
    expectOk(await box.cairn(['up', '--yes', '--plan', 'change.json', ...start]));
    const moved = await box.cairn(['destroy', '--yes', '--skip-preview', ...start]);
    expect([moved.code, moved.text]).toEqual([7, expect.stringContaining('CAIRN-UNEXPECTED-CHANGES')]);
    expect(existsSync(at('page.txt'))).toBe(true);
    expect(readFileSync(at('page.txt'), 'utf8')).toMatch(/^Goodbye /);
  });

  test('a plan of another stack is refused, so is one that is none', async () => {
    const other = await box.cairn([
      'up',
      '--yes',
      '--stack',
      'other',
      '--config',
      'planted=x',
      '--plan',
      'same.json',
    ]);
    expect([other.code, other.text]).toEqual([
      2,
      expect.stringContaining('same.json is a plan of stack dev of project shop, not of other of shop'),
    ]);
    box.write('none.json', '{"version":3}');
    expect((await box.cairn(['up', '--yes', '--plan', 'none.json'])).text).toContain('version is unknown');
    expect((await box.cairn(['up', '--yes', '--plan', 'missing.json'])).text).toContain(
      'cannot read the plan',
    );
  });

  test('--strict holds an update to its own preview', async () => {
    box.write('index.ts', program('Welcome'));
    expectOk(await box.cairn(['up', '--yes', '--strict']));
    expect(readFileSync(at('page.txt'), 'utf8')).toMatch(/^Welcome /);
    // The preview could not see what comes now: the file counts how often it was run.
    box.write(
      'index.ts',
      program('Run')
        .replace('Run', '${runs}')
        .replace(
          'const pet',
          "import { appendFileSync, readFileSync } from 'node:fs';\nappendFileSync('runs.txt', 'x');\nconst runs = readFileSync('runs.txt', 'utf8');\nconst pet",
        ),
    );
    const before = readFileSync(at('page.txt'), 'utf8');
    const refused = await box.cairn(['up', '--yes', '--strict']);
    expect([refused.code, refused.text]).toEqual([
      1,
      expect.stringContaining('violates plan: properties changed: ~~content'),
    ]);
    expect(readFileSync(at('page.txt'), 'utf8')).toBe(before);
    const without = await box.cairn(['up', '--yes', '--strict', '--skip-preview']);
    expect([without.code, without.text]).toEqual([2, expect.stringContaining('--strict needs the preview')]);
  });
});

describe('steps that are not expected [DEL-8]', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox({ 'index.ts': shop(2, true) });
    giveStack(box);
    expectOk(
      await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-replacements', '--expect-no-deletes']),
    );
    box.write('index.ts', shop(3, false));
  });
  afterAll(() => box.remove());

  const there = (): readonly boolean[] =>
    ['new.txt', 'gone.txt'].map((file) => existsSync(path.join(box.directory, file)));

  test.each([
    ['--expect-no-replacements', 'CAIRN-UNEXPECTED-REPLACEMENT', 'pet'],
    ['--expect-no-deletes', 'CAIRN-UNEXPECTED-DELETE', 'gone'],
  ])('%s refuses before anything is done, and lists what it is about', async (flag, code, name) => {
    for (const words of [['preview'], ['up', '--yes']]) {
      const refused = await box.cairn([...words, flag]);
      expect([refused.code, refused.text]).toEqual([7, expect.stringContaining(code)]);
      expect(refused.text).toMatch(new RegExp(`What failed:\\n    ${name} `));
    }
    expect(there()).toEqual([false, true]);
  });

  test('without a preview each is refused where it would be done', async () => {
    const run = await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-deletes']);
    expect([run.code, run.text]).toEqual([7, expect.stringContaining('gone')]);
    expect(there()).toEqual([true, true]);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-replacements']));
    expect(there()).toEqual([true, false]);
  });
});

/** A word that is drawn again when its length changes, a file that is added, and one that is removed. */
function shop(length: number, first: boolean): string {
  const file = first ? 'gone' : 'new';
  return `
import { LocalFile } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';
new RandomPet('pet', { length: ${length} });
new LocalFile('${file}', { path: '${file}.txt', content: '' });
`;
}
