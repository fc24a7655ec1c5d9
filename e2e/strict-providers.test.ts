import { expectOk, sandbox } from './support/cairn.js';
import type { Sandbox } from './support/cairn.js';

const program = (greeting: string, length: number): string => `
import { ComponentResource, interpolate, secret } from '@cairn/sdk';
import { LocalCommand, LocalDirectory, LocalFile } from '@cairn/provider-local';
import { RandomBytes, RandomId, RandomInteger, RandomPassword, RandomPet, RandomShuffle, RandomString, RandomUuid } from '@cairn/provider-random';

const pet = new RandomPet('pet', { length: ${length} });
const password = new RandomPassword('password', { length: ${length + 20} });
const text = new RandomString('text', { length: 8, special: false });
new RandomBytes('bytes', { length: 8 });
new RandomId('id', { byteLength: 4 });
const number = new RandomInteger('number', { min: 1, max: 6 });
new RandomShuffle('shuffle', { inputs: ['a', pet.result, 'c'] });
new RandomUuid('uuid');
const folder = new LocalDirectory('folder', { path: 'out' });
const file = new LocalFile('file', { path: interpolate\`\${folder.path}/page\`, content: interpolate\`${greeting} \${pet.result} \${number.result}\` });
new LocalFile('secret', { path: interpolate\`\${folder.path}/secret\`, content: interpolate\`\${password.result}\` });
new LocalCommand('command', { create: 'cat "$PAGE"', delete: 'true', environment: { PAGE: file.path }, triggers: [file.path, secret('${greeting}')] });
export const name = text.result;
`;

describe('with --strict-providers', () => {
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({ 'index.ts': program('Hello', 2) });
  });
  afterAll(() => box.remove());

  test('the providers that come with Cairn keep their word, from the first up to destroy', async () => {
    const runs = [
      ['stack', 'init', 'dev'],
      ['up', '--yes', '--strict-providers'],
      ['up', '--yes', '--strict-providers', '--expect-no-changes'],
      ['refresh', '--yes', '--strict-providers'],
    ];
    for (const words of runs)
      expect(expectOk(await box.cairn(words)).text).not.toContain('PROVIDER-CONTRACT');
    box.write('index.ts', program('Bye', 3));
    const digest = JSON.parse(expectOk(await box.cairn(['preview', '--json', '--show-sames'])).stdout) as {
      readonly steps: readonly {
        readonly op: string;
        readonly urn: string;
        readonly reason?: string;
        readonly why?: object;
      }[];
    };
    for (const { reason, why } of digest.steps)
      expect([typeof reason, why]).toEqual([
        'string',
        expect.objectContaining({ kind: expect.any(String) as unknown }),
      ]);
    expect(digest.steps.find(({ op, urn }) => op === 'replace' && urn.endsWith('::pet'))?.why).toMatchObject({
      kind: 'property',
      keys: ['length'],
      replaces: true,
    });
    const changed = expectOk(await box.cairn(['up', '--yes', '--strict-providers', '--diff']));
    expect(changed.text).not.toContain('PROVIDER-CONTRACT');
    expect(changed.stdout).toMatch(/pet.*length cannot be changed in place/);
    expectOk(await box.cairn(['destroy', '--yes', '--strict-providers']));
  });
});
