import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Types of programs on the real `@pulumi/pulumi`, under the name `pulumi` and under our own. */

const UP = ['up', '--yes', '--skip-preview'];
const RIGHT = 'export const size: number = 3;';
const WRONG = 'export const size: number = process.argv[0] as unknown as string;';
const SAID =
  /^ {4}error: Running program '.*index\.ts' failed with an unhandled exception:\n {4}TSError: ⨯ Unable to compile TypeScript:\n {4}size\.ts\(1,14\): error TS2322: Type 'string' is not assignable to type 'number'\.$/m;

const project = (options = ''): Record<string, string> => ({
  'Pulumi.yaml': `name: shop\nruntime:\n  name: nodejs${options}\n`,
  'package.json': JSON.stringify({ name: 'shop', main: 'index.ts', dependencies: { '@pulumi/pulumi': '*' } }),
  'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, types: ['node'] }, include: ['*.ts'] }),
  'index.ts': `
    import * as pulumi from '@pulumi/pulumi';
    import * as fs from 'fs';
    import { size } from './size';
    fs.appendFileSync('ran.log', pulumi.runtime.isDryRun() ? 'preview ' : 'run ');
    export const stash = new pulumi.Stash('stash', { input: size }).output;
  `,
  'size.ts': RIGHT,
  'nobody-imports-it.ts': "export const wrong: number = 'text';",
});

let box: Sandbox;
afterEach(() => box.remove());

async function withStack(options?: string): Promise<void> {
  box = sandbox(project(options));
  giveStack(box);
  expectOk(await box.cairn(['alias', 'bin']));
}

function pulumi(words: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(path.join(box.directory, 'bin', 'pulumi'), words, {
    encoding: 'utf8',
    cwd: box.directory,
    env: { ...box.env, ...env } as NodeJS.ProcessEnv,
  });
  return { code: status, stdout, text: stdout + stderr };
}

function fine(words: readonly string[], env?: Record<string, string>): void {
  const { code, text } = pulumi(words, env);
  expect({ code, text }).toEqual({ code: 0, text: expect.any(String) as string });
}

function refused(words: readonly string[], env?: Record<string, string>): void {
  const end = pulumi(words, env);
  expect(end.stdout).toMatch(SAID);
  expect(end.code).not.toBe(0);
}

const ran = (): string => {
  const log = path.join(box.directory, 'ran.log');
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
};

/** When each of the checks that are kept was made. */
function kept(): readonly number[] {
  const folder = path.join(box.home, '.cairn', 'cache', 'types');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names
    .map((name) => statSync(path.join(folder, name)))
    .flatMap((stat) => (stat.isFile() ? [stat.mtimeMs] : []));
}

test('under the name `pulumi` a mistake ends every operation that runs the program before anything is done', async () => {
  await withStack();
  fine(UP);
  expect(ran()).toBe('run ');
  const checked = kept();
  expect(checked).toHaveLength(1);
  fine(['up', '--yes']);
  fine(['preview']);
  expect(ran()).toBe('run preview run preview ');
  // The check writes the cached result: it was made once.
  expect(kept()).toEqual(checked);
  box.write('size.ts', WRONG);
  for (const words of [
    UP,
    ['up', '--yes'],
    ['preview'],
    [...UP, '--refresh'],
    ['destroy', '--yes', '--run-program'],
  ])
    refused(words);
  refused(['refresh', '--yes', '--run-program', '--skip-preview']);
  expect(pulumi(['up', '--yes', '--refresh']).text).not.toMatch(/stash/);
  expect(ran()).toBe('run preview run preview ');
  expect(expectOk(await box.cairn(['stack', 'output', 'stash'])).stdout).toBe('3\n');
  fine(['destroy', '--yes']);
});

test('what the project or the environment says about it counts, and under our own name nothing is checked unasked', async () => {
  await withStack();
  box.write('size.ts', WRONG);
  fine(['preview'], { PULUMI_NODEJS_TRANSPILE_ONLY: 'true' });
  expectOk(await box.cairn(['preview']));
  expect(kept()).toEqual([]);
  const asked = await box.cairn(['preview', '--typecheck']);
  expect(asked.code).not.toBe(0);
  expect(asked.text).toContain("size.ts(1,14): error TS2322: Type 'string' is not assignable");
  box.write('Pulumi.yaml', 'name: shop\nruntime:\n  name: nodejs\n  options:\n    typecheck: false\n');
  fine(['preview']);
  box.write('Pulumi.yaml', 'name: shop\nruntime: nodejs\n');
  refused(['preview']);
  box.write('tsconfig.json', '{ "ts-node": { "transpileOnly": true } }');
  fine(['preview']);
});
