import path from 'node:path';
import ts from 'typescript';
import { coveredErrors } from './covered-errors.js';

const START = `import { CustomResource, all, interpolate, jsonStringify } from '@cairn/sdk';
import type { CustomResourceOptions, Input, Output } from '@cairn/sdk';
interface BucketArgs { name: Input<string>; size?: Input<number>; tags?: Input<Record<string, Input<string>>> }
class Bucket extends CustomResource {
  constructor(name: string, args: BucketArgs, options?: CustomResourceOptions) { super('aws:s3:Bucket', name, { ...args }, options); }
  get arn(): Output<string> { return this.outputOf('arn'); }
  get size(): Output<number> { return this.outputOf('size'); }
  get open(): Output<boolean> { return this.outputOf('open'); }
}
const bucket = new Bucket('b', { name: 'x' });
`;
const directory = path.resolve(__dirname);
const file = path.join(directory, 'sample.ts');

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  customConditions: ['cairn-src'],
  // The SDK is a package of the program, not a part of it.
  preserveSymlinks: true,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
};
const host = ts.createCompilerHost(options);
const { fileExists } = host;
let program = '';
/** Files that all programs share. They are parsed once, and only the program itself is checked. */
const shared = new Map<string, ts.SourceFile | undefined>();
host.fileExists = (name) => name === file || fileExists(name);
host.getSourceFile = (name, settings) => {
  if (name === file) return ts.createSourceFile(name, program, settings, true);
  if (!shared.has(name)) {
    const text = ts.sys.readFile(name);
    const unchecked = text && ts.createSourceFile(name, `// @ts-nocheck\n${text}`, settings);
    shared.set(name, unchecked || undefined);
  }
  return shared.get(name);
};

function errorsOf(statements: string): readonly string[] {
  program = START + statements;
  return coveredErrors(ts, ts.createProgram([file], options, host), directory);
}

const FIRST = START.split('\n').length;

/** Statements, and the expected message for each. */
const MISTAKES: readonly (readonly [statement: string, message: string])[] = [
  ["new Bucket('c', {});", 'TS2345: property "name" is missing: BucketArgs needs it'],
  ["new Bucket('c', { name: 5 });", 'TS2322: this takes string, not number'],
  ["new Bucket('c', { name: bucket.size });", 'TS2322: this takes string, not an output of number'],
  ["new Bucket('c', { name: 'x', tags: { a: 5 } });", 'TS2322: this takes string, not number'],
  [
    "new Bucket('c', { name: 'x' }, { provider: bucket });",
    'TS2741: a provider is needed here, but Bucket is not one',
  ],
  ['const a = `arn ${bucket.arn}`;', ': an output is not a string: use interpolate`…` or apply'],
  ["const a = 'arn ' + bucket.arn;", ': an output is not a string: use interpolate`…` or apply'],
  ['const a = JSON.stringify(bucket.arn);', ': it contains an output, which is not JSON: use jsonStringify'],
  [
    'const a = JSON.stringify({ b: [{ c: bucket.arn }] });',
    ': it contains an output, which is not JSON: use jsonStringify',
  ],
  [
    'if (bucket.open) console.log(1);',
    ': an output is always true: decide inside apply, where its value is known',
  ],
  [
    'const a = bucket.open ? 1 : 2;',
    ': an output is always true: decide inside apply, where its value is known',
  ],
  ['const a = !bucket.open;', ': an output is always true: decide inside apply, where its value is known'],
  [
    'const a = bucket.size + 1;',
    ': an output is not a number: compute inside apply, or from several with all([…]).apply',
  ],
  [
    'const a = bucket.size * 2;',
    ': an output is not a number: compute inside apply, or from several with all([…]).apply',
  ],
  ["const a = bucket.arn === 'x';", ': an output equals nothing but itself: compare inside apply'],
  [
    'const a = async () => { await bucket.arn; };',
    ': an output cannot be awaited: use its value inside apply',
  ],
  [
    'const a: string = bucket.arn;',
    'TS2322: this takes string, not an output of string: use its value inside apply',
  ],
  [
    'bucket.arn.toUpperCase();',
    'TS2339: an output has no "toUpperCase": use apply((value) => value.toUpperCase)',
  ],
];

let errors: readonly string[];
beforeAll(() => {
  errors = errorsOf(MISTAKES.map(([statement]) => `{ ${statement} }`).join('\n'));
}, 60_000);

test.each(MISTAKES)('%s', (statement, message) => {
  const line = FIRST + MISTAKES.findIndex(([one]) => one === statement);
  const told = errors.filter((error) => error.startsWith(`sample.ts(${line},`));
  const kind = message.startsWith('TS') ? `error ${message}` : `error${message}`;
  expect(told.map((error) => error.replace(/^sample\.ts\(\d+,\d+\): /, ''))).toEqual([kind]);
});

test('a program that uses outputs as they are meant has no mistakes', () => {
  expect(
    errorsOf(`
      export const text = interpolate\`\${bucket.arn}/*\`;
      export const json = jsonStringify({ arn: bucket.arn });
      export const sum = all([bucket.size, 2]).apply(([a, b]) => a + b);
      export const named = bucket.arn.apply((arn) => (arn === 'x' ? \`\${arn}\` : JSON.stringify({ arn })));
      export const maybe = (other?: Bucket) => other?.arn ?? bucket.arn;
      export const plain = JSON.stringify({ a: 1, b: ['x'] }) + String(1 + 2);
    `),
  ).toEqual([]);
}, 30_000);
