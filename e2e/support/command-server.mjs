// Runs command lines of the built command in one process, one after the other. Started by `command-server.ts` with an
// IPC channel. Each call gets the environment, the directory, the words and the input of a process of its own, and
// writes to the real stdout and stderr. A call that leaves something behind (a process, a listener) is the last one:
// the server then ends like the process of a command.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const cli = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  '..',
  '..',
  'packages',
  'edges',
  'cli',
);
const requireFromCli = createRequire(path.join(cli, 'package.json'));
const { runCli } = await import('../../packages/edges/cli/dist/main.js');
const home = process.cwd();
const mask = process.umask();
/** Bytes of resident memory from which on a fresh server takes over. */
const MEMORY_LIMIT = 600e6;
/** Part of the shell that guards the groups of a process until it ends (`packages/boundary/processes`). */
const GUARDIAN = 'while read -r verb id';

for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
process.on('message', (message) => (message.t === 'call' ? void serve(message) : process.exit()));
process.on('disconnect', () => process.exit());
process.send({ t: 'ready' });

async function serve({ words, cwd, env, input, end }) {
  const idle = process.getActiveResourcesInfo();
  const listeners = process.listenerCount('exit');
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(1, Infinity, path.join(cli, 'bin', 'cairn.cjs'), ...words);
  const code = await runCli({
    env: process.env,
    cwd,
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: process.stdout,
    stderr: process.stderr,
    argv: words,
    onInterrupt,
    now: () => new Date(),
    self: {
      command: process.execPath,
      words: [...process.execArgv, ...process.argv.slice(1)],
      start: [],
      directory: cwd,
      calledAs: 'cairn',
    },
    announce: () => undefined,
  });
  process.exitCode = code;
  await untilIdle(idle);
  stopCompiler();
  const left = await leftBehind(listeners);
  if (left !== undefined) {
    process.removeAllListeners('disconnect');
    process.send({ t: 'last', left }, () => process.disconnect());
    return;
  }
  process.exitCode = undefined;
  process.umask(mask);
  process.chdir(home);
  await Promise.all([process.stdout, process.stderr].map((stream) => written(stream, end)));
  process.send({ t: 'end', code, full: process.memoryUsage.rss() > MEMORY_LIMIT });
}

/**
 * Waits for everything that keeps a command's process alive after the command itself, such as a connection that is
 * closing.
 */
async function untilIdle(idle) {
  const isIdle = () => process.getActiveResourcesInfo().length <= idle.length;
  for (let tries = 0; !isIdle(); tries += 1) await delay(tries < 10 ? 1 : 20);
}

/** Names something that a process would have ended with, or left behind, by its end. */
async function leftBehind(listeners) {
  if (process.listenerCount('exit') > listeners) return 'a listener of the end';
  for (let tries = 0; childrenWords().length > 0 && tries < 25; tries += 1) await delay(20);
  const children = childrenWords();
  return children.length > 0 ? `processes: ${children.join('; ')}` : undefined;
}

/** Lists the command lines of our child processes, without the shell that ends the groups of a command with it. */
function childrenWords() {
  return readdirSync('/proc/self/task')
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(wordsOf)
    .filter((words) => words !== '' && !words.includes(GUARDIAN));
}

/** Returns the command line of a process, and nothing for one that has ended. */
function wordsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** Ends the service of the compiler, which otherwise stays until the end of its parent. */
function stopCompiler() {
  const file = requireFromCli.resolve('esbuild');
  requireFromCli.cache[file]?.exports.stop();
}

function onInterrupt(listener) {
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}

function written(stream, text) {
  return new Promise((resolve) => stream.write(text, resolve));
}

function ignoreClosedPipe(error) {
  if (error.code !== 'EPIPE') throw error;
}
