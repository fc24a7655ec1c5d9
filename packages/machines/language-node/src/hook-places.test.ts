import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createNodeLanguageHost } from './index.js';
import { builtLoader } from './testdata/built-loader.js';

/**
 * Hooks for ES modules are in the program's own thread, or in a thread of theirs. On every node that can have both,
 * programs behave the same.
 */

let loader: string;
let root: string;
beforeAll(() => (loader = builtLoader()));
afterAll(() => rmSync(loader, { recursive: true, force: true }));
beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-hooks-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const RUNNER = `
import { pathToFileURL } from 'node:url';
import(pathToFileURL(process.env.CAIRN_PROGRAM).href).then(
  (program) => console.log('exports ' + JSON.stringify(program)),
  (error) => console.log(error.name + ' ' + error.code + ' ' + error.message + own(error.stack)),
);
const own = (stack) => stack.split('\\n').filter((line) => /^ +at .*[/]cairn-hooks-/.test(line)).join('');
`;

const COMMON = {
  'package.json': '{"name":"p","type":"module","dependencies":{"@cairn/sdk":"*"}}',
  'tsconfig.json': '{"compilerOptions":{"paths":{"#own/*":["./lib/*"],"internal/*":["./lib/*"]}}}',
  'node_modules/@cairn/sdk/package.json':
    '{"name":"@cairn/sdk","version":"1.0.0","type":"module","exports":{"./run":"./run.js"}}',
  'node_modules/@cairn/sdk/run.js': RUNNER,
};

/** Runs the program in `index.ts`, and returns what it prints. */
async function run(environment: Record<string, string>): Promise<string> {
  let output = '';
  const host = createNodeLanguageHost({
    loader: join(loader, 'register.js'),
    environment: { PATH: process.env['PATH'], CAIRN_HOME: join(root, '.home'), ...environment },
  });
  await host.run({
    info: { rootDirectory: root, programDirectory: root, entryPoint: 'index.ts', options: {} },
    ...{ monitorAddress: 'unix:m', engineAddress: 'unix:e', project: 'p', stack: 'dev', organization: 'org' },
    ...{ config: {}, configSecretKeys: [], dryRun: true, parallel: 4, args: [] },
    onOutput: (_stream, text) => (output += text),
  });
  await host.close();
  return output.replaceAll(root, 'ROOT').replaceAll(/\(node:\d+\)/g, '(node)');
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries({ ...COMMON, ...files })) {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const IN_THREAD = { CAIRN_HOOKS_THREAD: '1' };

test('only hooks in a thread of theirs start one', async () => {
  write({
    'index.ts': `import { Worker } from 'node:worker_threads'; export const id: number = new Worker('', { eval: true }).threadId;`,
  });
  expect(await run({})).toBe('exports {"id":1}\n');
  expect(await run(IN_THREAD)).toBe('exports {"id":2}\n');
});

const CASES: readonly (readonly [string, Record<string, string>, string])[] = [
  [
    'cycles and values that change',
    {
      'index.ts': `import { count, grow } from './a.js'; grow(); export const all = [count, (await import('./b.js')).seen()];`,
      'a.ts': `import { seen } from './b.js'; export let count = 1; export const grow = (): void => { count += seen(); };`,
      'b.ts': `import { count } from './a.js'; export const seen = (): number => count;`,
    },
    'exports {"all":[2,2]}',
  ],
  [
    'a cycle that reads too early',
    {
      'index.ts': `import './a.js';`,
      'a.ts': `import './b.js'; export const early: number = 1;`,
      'b.ts': `import { early } from './a.js'; console.log(early);`,
    },
    "ReferenceError undefined Cannot access 'early' before initialization    at <anonymous> (ROOT/b.ts:1:45)",
  ],
  [
    'the order of evaluation, also of packages',
    {
      'index.ts': `import './first.js'; import order from 'ordered'; import './last.js'; export { order };`,
      'first.ts': `(globalThis as any).order = ['first']; await null;`,
      'last.ts': `(globalThis as any).order.push('last');`,
      'node_modules/ordered/package.json': '{"type":"module","exports":"./index.js"}',
      'node_modules/ordered/index.js': `globalThis.order.push('package'); export default globalThis.order;`,
    },
    'exports {"order":["first","package","last"]}',
  ],
  [
    'import.meta',
    {
      'index.ts': `const { url, filename, dirname, resolve } = import.meta; export const meta = [url, filename, dirname, resolve('./lib/a.js'), resolve('#own/a')];`,
      'lib/a.ts': '',
    },
    '["file://ROOT/index.ts","ROOT/index.ts","ROOT","file://ROOT/lib/a.ts","file://ROOT/lib/a.ts"]',
  ],
  [
    'top-level await, JSON, paths and imports with a name that is made',
    {
      'index.ts': `import data from './data.json' with { type: 'json' }; import { a } from '#own/a'; import { a as same } from 'internal/a';
        const name: string = await Promise.resolve('./lib/a.js'); export const all = [data.x, a === same, (await import(name)).a === a];`,
      'data.json': '{"x":1}',
      'lib/a.ts': 'export const a: object = {};',
    },
    'exports {"all":[1,true,true]}',
  ],
  [
    'JSON without its type',
    { 'index.ts': `import './data.json';`, 'data.json': '{}' },
    'needs an import attribute of',
  ],
  [
    'modules of all kinds',
    {
      'index.ts': `import { createRequire } from 'node:module'; import cts from './c.cjs'; import { m } from './m.mjs'; import { j } from './plain.js'; import cjs, { named } from 'cjs-package';
        const require = createRequire(import.meta.url); export const all = [cts.c, m, j, cjs.named, named, require('./c.cts') === cts];`,
      'c.cts': `const other = require('./d.cts'); export const c: number = other.d;`,
      'd.cts': 'export const d: number = 2;',
      'm.mts': 'export const m: number = 3;',
      'plain.js': `import { t } from './t.js'; export const j = t;`,
      't.ts': 'export enum T { Four = 4 } export const t = T.Four;',
      'node_modules/cjs-package/index.js': 'exports.named = 5;',
    },
    'exports {"all":[2,3,4,5,5,true]}',
  ],
  [
    'a package of the workspace in TypeScript',
    {
      'index.ts': `import { w } from 'workspace-package'; export { w };`,
      'packages/w/package.json': '{"name":"workspace-package","type":"module","exports":"./src/index.ts"}',
      'packages/w/src/index.ts': `import { w } from './part.js'; export { w };`,
      'packages/w/src/part.ts': 'export const w: number = 6;',
    },
    'exports {"w":6}',
  ],
  [
    'an error with its place',
    {
      'index.ts': `import { fail } from './a.js';\n\nfail();`,
      'a.ts': `interface X {}\n\nexport function fail(): never {\n  throw new TypeError('wrong');\n}`,
    },
    'TypeError undefined wrong    at fail (ROOT/a.ts:4:9)    at <anonymous> (ROOT/index.ts:3:1)',
  ],
  [
    'a module that is not there',
    { 'index.ts': `import './none.js';` },
    "Error ERR_MODULE_NOT_FOUND Cannot find module 'ROOT/none.js'",
  ],
  [
    'a package that is not there',
    { 'index.ts': `import 'none';` },
    "Error ERR_MODULE_NOT_FOUND Cannot find package 'none'",
  ],
  [
    'an export that is not there',
    { 'index.ts': `import { no } from './a.js'; no;`, 'a.ts': 'export {};' },
    "does not provide an export named 'no'",
  ],
  ['code that does not parse', { 'index.ts': `import './a.js';`, 'a.ts': 'const = 1;' }, 'ROOT/a.ts:1:7'],
  [
    'hooks that the program registers itself',
    {
      'index.ts': `import { register } from 'node:module'; import { a } from './a.js'; register('./own-hooks.mjs', import.meta.url);
        export const all = [a, (await import('virtual:x')).default, (await import('./b.js')).b];`,
      'a.ts': 'export const a: number = 1;',
      'b.ts': `import { a } from './a.js'; export const b: number = a + 1;`,
      'own-hooks.mjs': `export const resolve = (name, context, next) => name === 'virtual:x' ? { url: name, shortCircuit: true } : next(name, context);
        export const load = (url, context, next) => url === 'virtual:x' ? { format: 'module', source: 'export default 7', shortCircuit: true } : next(url, context);`,
    },
    'exports {"all":[1,7,2]}',
  ],
];

test.each(CASES)('%s', async (_what, files, expected) => {
  write(files);
  if ('packages/w/package.json' in files)
    symlinkSync(join(root, 'packages/w'), join(root, 'node_modules/workspace-package'));
  const own = await run({});
  expect(own).toContain(expected);
  expect(await run(IN_THREAD)).toBe(own);
});

test('a thread of the program loads TypeScript, or does not, in the same way', async () => {
  write({
    'index.ts': `import { once } from 'node:events'; import { Worker } from 'node:worker_threads';
      const worker = new Worker(new URL('./w.ts', import.meta.url));
      export const all = await Promise.race([once(worker, 'message'), once(worker, 'error')]).catch((error) => error.code);`,
    'w.ts': `import { parentPort } from 'node:worker_threads'; import { a } from './a.js'; parentPort!.postMessage(a);`,
    'a.ts': 'export const a: number = 1;',
  });
  const own = await run({});
  expect(own).toContain('exports');
  expect(await run(IN_THREAD)).toBe(own);
});

test('hooks that were registered before the loader stay', async () => {
  write({
    'index.ts': `import { a } from './a.js'; import x from 'virtual:x'; export const all = [a, x];`,
    'a.ts': 'export const a: number = 1;',
    'before.mjs': `import { register } from 'node:module'; register('./own-hooks.mjs', import.meta.url);`,
    'own-hooks.mjs': CASES.at(-1)?.[1]['own-hooks.mjs'] ?? '',
  });
  const options = { NODE_OPTIONS: `--import=${join(root, 'before.mjs')}` };
  expect(await run(options)).toBe('exports {"all":[1,7]}\n');
  expect(await run({ ...options, ...IN_THREAD })).toBe('exports {"all":[1,7]}\n');
});
