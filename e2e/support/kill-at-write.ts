import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from './cairn.js';

/**
 * Loaded into the command alone: ends the process like `kill -9` before the first call that changes a file and is like
 * the expression in `write.txt`, once.
 */
const HOOK = `
const fs = require('node:fs');
const promises = require('node:fs/promises');
const path = require('node:path');
const isCommand = /cairn\\.cjs$/.test(process.argv[1] ?? '');
const home = __dirname;
const order = path.join(home, 'write.txt');
const [exists, read, remove] = [fs.existsSync, fs.readFileSync, fs.rmSync];
const wanted = isCommand && exists(order) ? new RegExp(read(order, 'utf8')) : undefined;
const note = (name, file) => {
  if (wanted === undefined || !wanted.test(name + ' ' + String(file))) return;
  remove(order);
  process.kill(process.pid, 'SIGKILL');
};
const names = ['open', 'mkdir', 'writeFile', 'appendFile', 'rm', 'unlink', 'rmdir'];
const placing = ['rename', 'link', 'symlink', 'copyFile'];
if (wanted !== undefined) {
  for (const name of [...names, ...placing]) {
    const written = placing.includes(name) ? 1 : 0;
    const call = promises[name];
    promises[name] = (...words) => { note(name, words[written]); return call(...words); };
    const sync = fs[name + 'Sync'];
    fs[name + 'Sync'] = (...words) => { note(name, words[written]); return sync(...words); };
  }
  require('node:module').syncBuiltinESMExports();
}
`;

/**
 * Runs a command that is killed before the first of its writes that is like the expression: `CALL FILE`, where the last
 * part of the file is enough. Of a call that gives a file its name, it is the new name.
 */
export async function killedBefore(box: Sandbox, write: RegExp, words: readonly string[]): Promise<void> {
  const hook = path.join(box.home, 'kills.cjs');
  writeFileSync(hook, HOOK);
  writeFileSync(path.join(box.home, 'write.txt'), write.source);
  const { code, signal, text } = await box.cairn(words, { env: { NODE_OPTIONS: `--require ${hook}` } });
  if (signal !== 'SIGKILL')
    throw new Error(`not killed before ${write.source}, ended with ${code}:\n${text}`);
}
