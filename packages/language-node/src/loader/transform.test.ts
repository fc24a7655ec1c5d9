import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheKey } from './transform-cache.js';
import { createTransform } from './transform.js';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'cairn-transform-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const source = (text: string, name = 'a.ts'): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};
const cached = (): string => join(root, 'cache');
const transform = (tsconfig?: string) =>
  createTransform({ transpile: true, cacheDirectory: cached(), tsconfig });
const entries = (): string[] =>
  readdirSync(cached()).flatMap((part) =>
    readdirSync(join(cached(), part)).map((name) => join(cached(), part, name)),
  );

test('a second transform takes the kept result, word for word', () => {
  const path = source('export const a: number = 1;');
  const first = transform()(path);
  const [entry] = entries() as [string];
  const kept = readFileSync(entry, 'utf8');
  expect(transform()(path)).toBe(first);
  expect(entries()).toEqual([entry]);
  expect(kept.slice(kept.indexOf('\n') + 1)).toBe(first);
});

test('a kept result is used without transpiling again', () => {
  const path = source('export const a: number = 1;');
  const first = transform()(path);
  const [entry] = entries() as [string];
  const changed = first.replace('= 1', '= 9');
  const digest = cacheKeyOfContent(changed);
  writeFileSync(entry, `${digest}\n${changed}`);
  expect(transform()(path)).toBe(changed);
});

test.each([
  ['cut off', (text: string) => text.slice(0, -10)],
  ['changed in one character', (text: string) => text.replace('= 1', '= 2')],
  ['empty', () => ''],
  ['without its first line', (text: string) => text.slice(text.indexOf('\n') + 1)],
])('a kept result that is %s is not trusted, and is made again', (_, damage) => {
  const path = source('export const a: number = 1;');
  const first = transform()(path);
  const [entry] = entries() as [string];
  const kept = readFileSync(entry, 'utf8');
  writeFileSync(entry, damage(kept));
  expect(transform()(path)).toBe(first);
  expect(readFileSync(entry, 'utf8')).toBe(kept);
});

test('a cache that cannot be written costs time only', () => {
  writeFileSync(cached(), 'a file');
  expect(transform()(source('export const a: number = 1;'))).toContain('a = 1');
});

test.each([
  ['the source', () => void source('export const a: number = 2;')],
  [
    'its tsconfig',
    () => void writeFileSync(join(root, 'tsconfig.json'), '{"compilerOptions":{"target":"ES2021"}}'),
  ],
])('another result is kept when %s changes', (_, change) => {
  const path = source('export const a: number = 1;');
  transform()(path);
  const before = entries().length;
  change();
  // The settings of one process are read once; another run reads them again.
  jest.isolateModules(() => {
    const again = require('./transform.js') as typeof import('./transform.js');
    again.createTransform({ transpile: true, cacheDirectory: cached() })(path);
  });
  expect(entries().length).toBe(before + 1);
});

test('a syntax error names file, line and column and shows the line', () => {
  const path = source('const a = 1;\n\tlet = = 3;\n');
  expect(() => transform()(path)).toThrow(
    expect.objectContaining({
      name: 'SyntaxError',
      message: `${path}:2:8: Unexpected "="\n  2 | \tlet = = 3;\n    | \t      ^`,
    }),
  );
});

test('parts of a key are kept apart', () => {
  expect(cacheKey(['ab', 'c'])).not.toBe(cacheKey(['a', 'bc']));
});

function cacheKeyOfContent(content: string): string {
  const { createHash } = jest.requireActual<typeof import('node:crypto')>('node:crypto');
  return createHash('sha256').update(content).digest('hex');
}
