import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Our own providers as plugin processes: where they work, and that an engine can be told of one that runs already. */

const plugin = path.resolve(__dirname, '..', '..', 'packages', 'provider-local', 'bin', 'plugin.js');

const PROGRAM = `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'site/page.txt', content: 'hello' });
new LocalCommand('where', { create: 'pwd > where.txt', delete: 'rm where.txt' });
`;

const started: ChildProcess[] = [];
const boxes: Sandbox[] = [];
afterAll(() => {
  started.forEach((child) => child.kill('SIGKILL'));
  boxes.forEach((box) => box.remove());
});

/** Starts the plugin as somebody with a debugger does; resolves with its port. */
function startPlugin(cwd: string): Promise<string> {
  const child = spawn(process.execPath, [plugin], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the plugin ended with ${code}`)));
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
  });
}

test('a plugin works in the folder of the program, whoever started it', async () => {
  const box = sandbox({
    'Cairn.yaml': 'name: shop\nruntime: nodejs\nmain: src/index.ts\n',
    'src/index.ts': PROGRAM,
  });
  boxes.push(box);
  const src = path.join(box.directory, 'src');
  mkdirSync(src, { recursive: true });
  const at = (file: string): string => path.join(src, file);
  giveStack(box);
  const port = await startPlugin(src);
  const ways: readonly Record<string, string>[] = [
    { CAIRN_PROVIDERS_OUT_OF_PROCESS: '1' },
    { CAIRN_DEBUG_PROVIDERS: `cairn-local:${port}` },
    { PULUMI_DEBUG_PROVIDERS: `cairn-local:${port}` },
  ];
  for (const env of ways) {
    expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { env }));
    expect(readFileSync(at('site/page.txt'), 'utf8')).toBe('hello');
    expect(readFileSync(at('where.txt'), 'utf8').trim()).toBe(src);
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview'], { env }));
    expect([existsSync(at('site/page.txt')), existsSync(at('where.txt'))]).toEqual([false, false]);
  }
});
