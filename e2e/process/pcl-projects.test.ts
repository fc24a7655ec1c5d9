import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Http2Caller } from '@cairn/wire/caller';
import { loaderService } from '@cairn/wire/schemas-server';
import { startServer } from '@cairn/wire/server';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** Programs in PCL become projects: the test calls `pulumi-language-cairn` as `pulumi convert` does. */

const repository = path.resolve(__dirname, '..', '..');
const plugin = path.join(repository, 'packages', 'machines', 'language-node', 'bin', 'plugin.js');

let box: Sandbox;
afterEach(() => box.remove());

/** A protobuf field with a text of up to 16,000 bytes. */
function field(number: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([
    Buffer.from([(number << 3) | 2, (bytes.length & 0x7f) | 0x80, bytes.length >> 7]),
    bytes,
  ]);
}

/** Translates the folder `source` of the box into `target`; returns the problems in the answer. */
async function translated(): Promise<string> {
  const schema = expectOk(await box.cairn(['package', 'get-schema', 'cairn-random'])).stdout;
  const loader = await startServer({
    services: [loaderService({ getSchema: () => Promise.resolve(schema) })],
  });
  const host = spawn(process.execPath, [plugin, '127.0.0.1:1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await new Promise((resolve) => host.stdout.once('data', resolve));
    const caller = new Http2Caller(`127.0.0.1:${String(port).trim()}`);
    const request = [
      field(1, path.join(box.directory, 'source')),
      field(2, path.join(box.directory, 'target')),
      field(3, JSON.stringify({ name: 'shop' })),
      field(5, loader.address),
    ];
    const answer = await caller.unary('/pulumirpc.LanguageRuntime/GenerateProject', Buffer.concat(request));
    caller.close();
    return Buffer.from(answer).toString();
  } finally {
    host.kill('SIGKILL');
    await loader.close();
  }
}

test('a program becomes a project that passes the compiler and runs, with its component and its package', async () => {
  box = sandbox({
    'source/main.pp': `
config "count" "int" { default = 2 }
config "prefix" "string" {}
pet = first
resource "first" "cairn-random:index:Pet" { length = "3" }
resource "many" "cairn-random:index:Pet" {
  length = range.value + 1
  options { range = count }
}
component "pair" "./pair" { words = 1 }
output "parts" { value = length(split("-", pet.result)) }
output "lengths" { value = [for p in many : length(split("-", p.result))] }
output "total" { value = "\${prefix}-\${length(many)}" }
output "paired" { value = pair.total }
output "safe" { value = try({ a = 1 }["b"], "otherwise") }
output "hidden" { value = secret(prefix) }
output "sum" { value = max([1, 2]...) + count }
`,
    'source/pair/main.pp': `
config words int { description = "How many words." }
resource "one" "cairn-random:index:Pet" { length = words }
output total { value = "\${words}:\${length(split("-", one.result))}" }
`,
  });
  expect(await translated()).toBe('');
  const target = path.join(box.directory, 'target');
  expect(JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8'))).toMatchObject({
    dependencies: { '@cairn-sdks/cairn-random': 'file:sdks/cairn-random' },
  });
  mkdirSync(path.join(target, 'node_modules', '@cairn-sdks'), { recursive: true });
  symlinkSync('../../sdks/cairn-random', path.join(target, 'node_modules', '@cairn-sdks', 'cairn-random'));
  const tsc = path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
  const checked = spawnSync(process.execPath, [tsc, '-p', target], { encoding: 'utf8' });
  expect(checked.stdout).toBe('');
  const run = async (...words: string[]) => expectOk(await box.cairn(words, { cwd: target }));
  await run('stack', 'init', 'dev');
  await run('config', 'set', 'prefix', 'x');
  await run('up', '--yes');
  const said = await run('stack', 'output', '--json', '--show-secrets');
  expect(JSON.parse(said.stdout)).toEqual({
    ...{ parts: 3, lengths: [1, 2], total: 'x-2', paired: '1:1', safe: 'otherwise', hidden: 'x', sum: 4 },
  });
  await run('destroy', '--yes', '--skip-preview');
});

test.each([
  ['resource "p" "cairn-random:index:Gone" {}', 'has no resource cairn-random:index:Gone (line 1, column 1)'],
  ['output o { value = nothing }', "undefined variable 'nothing' (line 1, column 20)"],
])('%s is refused, and nothing is written', async (program, message) => {
  box = sandbox({ 'source/main.pp': program });
  expect(await translated()).toContain(message);
  expect(existsSync(path.join(box.directory, 'target'))).toBe(false);
});
