import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compilerSettings } from './compiler-settings.js';
import { cacheKey } from './transform-cache.js';
import { createTransform } from './transform.js';
import { transpileWithTypeScript } from './typescript-compiler.js';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'cairn-transform-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const source = (text: string, name = 'a.ts'): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};
const cached = (): string => join(root, 'cache');
const transform = (options: object = {}) =>
  createTransform({ transpile: true, cacheDirectory: cached(), compiler: compilerSettings({ ...options }) });
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
  const digest = createHash('sha256').update(changed).digest('hex');
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

test('another result is kept when the source or a compiler option changes', () => {
  const path = source('export const a: number = 1;');
  transform()(path);
  transform({ target: 'ES2022' })(path);
  expect(entries().length).toBe(2);
  transform()(source('export const a: number = 2;'));
  expect(entries().length).toBe(3);
});

test('a syntax error names file, line and column and shows the line', () => {
  const path = source('const a = 1;\n\tlet = = 3;\n');
  expect(() => transform()(path)).toThrow(
    expect.objectContaining({
      name: 'SyntaxError',
      message: `Unable to compile TypeScript: ${path}:2:8: Unexpected "="\n  2 | \tlet = = 3;\n    | \t      ^`,
    }),
  );
});

test('parts of a key are kept apart', () => {
  expect(cacheKey(['ab', 'c'])).not.toBe(cacheKey(['a', 'bc']));
});

test('neighbours are transpiled along, each to what it would be alone', () => {
  const paths = [
    source('export const a: number = 1;'),
    source('export const b: number = 2;', 'b.ts'),
    source('export {}', 'c.mts'),
  ];
  source('declare const d: number;', 'd.d.ts');
  const together = transform();
  together(paths[0] as string);
  expect(entries().length).toBe(2);
  const alone = createTransform({ transpile: true });
  expect(paths.map(together)).toEqual(paths.map(alone));
});

test('of many neighbours a batch is transpiled along, and the next one with the next file', () => {
  const paths = Array.from({ length: 100 }, (_, index) =>
    source('export const a = 1;', `f${index + 100}.ts`),
  );
  const one = transform();
  const counts = [paths[0], paths[30], paths[50], paths[99]].map((path) => {
    one(path as string);
    return entries().length;
  });
  expect(counts).toEqual([41, 41, 82, 100]);
});

test('an ES module that is made into CommonJS: imports by the rules of ES modules, and what it knows of itself', () => {
  const path = source("import d from './c.cjs';\nexport const all = [d.default, import.meta.url];", 'e.mts');
  const code = createTransform({ transpile: true, cacheDirectory: cached() }, () => 'commonjs')(path);
  const module = { exports: {} as { all?: readonly string[] }, importMeta: { url: 'file:///e.mts' } };
  new Function('module', 'exports', 'require', code)(module, module.exports, () => ({
    __esModule: true,
    default: 'whole module',
  }));
  expect(module.exports.all).toEqual(['whole module', 'file:///e.mts']);
  expect(transform()(path)).toContain('import.meta.url');
  const waits = source('export const a = await 1;', 'w.mts');
  expect(() => createTransform({ transpile: true }, () => 'commonjs')(waits)).toThrow(`${waits}:1:18`);
});

test("a neighbour that does not parse is in nobody's way", () => {
  const path = source('export const a: number = 1;');
  const broken = source('const = 2', 'b.ts');
  expect(transform()(path)).toContain('a = 1');
  expect(() => transform()(broken)).toThrow(`${broken}:1:7`);
});

describe('classes stay classes of the language, whatever target a compiler knows', () => {
  const compilers = ['typescript', '@pulumi/pulumi/vendor/typescript@3.8.3/typescript.js'];
  test.each(
    compilers.flatMap((name) =>
      [undefined, 'ES5', 'ES2020', 'ES2022', 'ES2099'].flatMap((target) =>
        ['a.ts', 'a.mts'].map((file) => ({ name, target, file })),
      ),
    ),
  )('$name, target $target, $file', ({ name, target, file }) => {
    const path = source('export class Shelf extends Map<string, number> { size2?: number }', file);
    const options = target === undefined ? {} : { target };
    const compiler = { path: require.resolve(name), version: name, sources: 'all' as const, options };
    expect(transpileWithTypeScript(path, compiler)).toContain('class Shelf extends Map');
  });
});
