import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const program = (greeting: string, more = ''): string => `
import { interpolate } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';

const pet = new RandomPet('pet', { length: 2 });
new LocalFile('page', { path: 'page.txt', content: interpolate\`${greeting} \${pet.result}\` });
${more}
export const name = pet.result;
`;

const MORE = `
const fresh = new RandomPet('fresh', { length: 1 });
new LocalFile('fresh-page', { path: 'fresh.txt', content: fresh.result });
export const of = fresh.result;
`;

/** Refreshes and destroys that run the program [REF-5] [DEL-7]. */
describe('--run-program', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox({ 'index.ts': program('Hello') });
    giveStack(box);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  });
  afterAll(() => box.remove());

  const at = (file: string): string => path.join(box.directory, file);
  const resources = async (): Promise<readonly { urn: string }[]> => {
    const { stdout } = expectOk(await box.cairn(['stack', 'export']));
    return (
      (JSON.parse(stdout) as { deployment: { resources?: { urn: string }[] } }).deployment.resources ?? []
    );
  };

  test('a refresh looks at what is there and makes nothing', async () => {
    writeFileSync(at('page.txt'), 'vandalised');
    box.write('index.ts', program('Goodbye', MORE));
    const before = (await resources()).length;
    expectOk(await box.cairn(['refresh', '--run-program', '--yes']));
    expect(readFileSync(at('page.txt'), 'utf8')).toBe('vandalised');
    expect(existsSync(at('fresh.txt'))).toBe(false);
    expect(await resources()).toHaveLength(before);
    const outputs = expectOk(await box.cairn(['stack', 'output', '--json'])).stdout;
    expect(Object.keys(JSON.parse(outputs) as object)).toEqual(['name']);
  });

  test('an up that refreshes with the program repairs what it finds', async () => {
    expectOk(await box.cairn(['up', '--refresh', '--run-program', '--yes']));
    expect(readFileSync(at('page.txt'), 'utf8')).toMatch(/^Goodbye /);
    expect(existsSync(at('fresh.txt'))).toBe(true);
  });

  test('a destroy deletes what is there, registered or not, and makes nothing', async () => {
    box.write(
      'index.ts',
      program('Hello', MORE.replace('fresh-page', 'other-page').replace('fresh.txt', 'other.txt')),
    );
    expectOk(await box.cairn(['destroy', '--run-program', '--yes']));
    for (const file of ['page.txt', 'fresh.txt', 'other.txt']) expect(existsSync(at(file))).toBe(false);
    expect(await resources()).toEqual([]);
  });
});
