import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import ts from 'typescript';
import { migrateSource } from './migrate-source.js';

const modules = path.resolve(__dirname, '../../../../../node_modules');
const samples = new Map(
  readFileSync(path.join(__dirname, 'testdata', 'samples.txt'), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n') + 1)]),
);

let directory: string;
beforeAll(() => {
  directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-migrated-')));
  symlinkSync(modules, path.join(directory, 'node_modules'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Declared {
  readonly type: string;
  readonly name: string;
  readonly inputs: unknown;
}

/** Prints what a program on the other SDK declares, as its mocks receive it. */
const THEIRS = `
const pulumi = require('@pulumi/pulumi');
const declared = [];
const newResource = ({ type, name, inputs }) => {
  declared.push({ type, name, inputs });
  return { id: name + '-id', state: inputs };
};
pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs }, 'samples', 'dev', false);
process.once('beforeExit', () => console.log(JSON.stringify(declared)));
require('./program');
`;

const OURS = `
import { testProgram } from '@cairn/sdk/testing';
const tested = await testProgram(() => import('./program'), { project: 'samples', stack: 'dev' });
console.log(JSON.stringify(tested.resources.map(({ type, name, inputs }) => ({ type, name, inputs }))));
`;

function declaredBy(entry: string, program: string, format: 'cjs' | 'esm'): readonly Declared[] {
  writeFileSync(path.join(directory, 'entry.ts'), entry);
  writeFileSync(path.join(directory, 'program.ts'), program);
  const outfile = path.join(directory, format === 'cjs' ? 'out.cjs' : 'out.mjs');
  buildSync({
    entryPoints: [path.join(directory, 'entry.ts')],
    outfile,
    bundle: true,
    format,
    platform: 'node',
    target: 'node20',
    conditions: ['cairn-src'],
    external: ['@pulumi/pulumi'],
    // Programs on the other SDK are compiled like this: a declared property is no field.
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    logLevel: 'silent',
    ...(format === 'esm' && {
      banner: {
        js: "import { createRequire as ownRequire } from 'node:module'; const require = ownRequire(import.meta.url);",
      },
    }),
  });
  const text = execFileSync(process.execPath, [outfile], { cwd: directory, encoding: 'utf8' });
  const declared = JSON.parse(text.trim().split('\n').at(-1) as string) as Declared[];
  return declared
    .filter(({ type }) => type !== 'pulumi:pulumi:Stack')
    .sort((a, b) => (`${a.type} ${a.name}` < `${b.type} ${b.name}` ? -1 : 1));
}

test.each(['component.ts', 'custom.ts', 'options.ts', 'log.ts'])(
  '%s declares the same before and after',
  (name) => {
    const before = samples.get(name) as string;
    const { text: after } = migrateSource(ts, name, before);
    const declared = declaredBy(OURS, after, 'esm');
    expect(declared).toEqual(declaredBy(THEIRS, before, 'cjs'));
    expect(declared).not.toEqual([]);
    expect(declared.length).toBe([...before.matchAll(/new (?:Box|Site)\(/g)].length);
  },
  60_000,
);
