import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/** A user of the machine that owns none of the project's processes. */
export const NOBODY = 65_534;

/**
 * True if processes of another user can be tested: only root can start one, and only Linux shows the owner of a socket.
 */
export const othersCanBeTried = process.platform === 'linux' && process.geteuid?.() === 0;

/** Appended to the title of a test that needs another user: the reason for skipping it, if it is skipped. */
export const WHY_NO_OTHERS = othersCanBeTried ? '' : ' (skipped: it needs root on Linux)';

/** Runs a script of node in a process of that user. Returns its stdout. */
export async function runAs(uid: number, script: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['-e', script, '--', ...args], {
    uid,
    gid: uid,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
}

/** A unary call of gRPC: its path, and the message in base64. */
export type UnaryCall = readonly [path: string, message: string];

/**
 * Sends every call to every address (`unix:PATH`, `127.0.0.1:PORT` or a port) as that user. Returns for each `answer`
 * and the message, `answered` without one, `closed`, or `error` and its code.
 */
export async function callAs(
  uid: number,
  addresses: readonly string[],
  calls: readonly UnaryCall[],
): Promise<readonly string[]> {
  return JSON.parse(await runAs(uid, CALLER, JSON.stringify([addresses, calls]))) as string[];
}

const CALLER = `
const { connect } = require('node:net');
const http2 = require('node:http2');
const [addresses, calls] = JSON.parse(process.argv.at(-1));
const ask = (address, [path, body]) => new Promise((resolve) => {
  const socket = address.startsWith('unix:')
    ? connect(address.slice('unix:'.length))
    : connect(Number(address.split(':').at(-1)), '127.0.0.1');
  const failed = (error) => resolve('error ' + (error.code ?? error.message));
  socket.on('error', failed);
  const session = http2.connect('http://localhost', { createConnection: () => socket });
  session.on('error', failed);
  const stream = session.request({ ':method': 'POST', ':path': path, te: 'trailers', 'content-type': 'application/grpc' });
  let answer;
  stream.on('error', failed);
  stream.on('response', () => (answer = 'answered'));
  stream.on('data', (data) => (answer = 'answer ' + data.subarray(5)));
  stream.on('close', () => resolve(answer ?? 'closed'));
  const message = Buffer.from(body, 'base64');
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
});
(async () => {
  const answers = [];
  for (const address of addresses) for (const call of calls) answers.push(await ask(address, call));
  process.stdout.write(JSON.stringify(answers), () => process.exit());
})();
`;
