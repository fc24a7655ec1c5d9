// Calls and small helpers that the benchmarks of the state service share.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';

/** Calls a route of a service and returns its answer. Bytes as a body are gzip. Throws unless it answers 200. */
export async function callRoute(url, { method, route, authorization, body = '', agent }) {
  const headers = {
    authorization,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(typeof body !== 'string' && { 'content-encoding': 'gzip' }),
  };
  const response = await new Promise((resolve, reject) => {
    request(url + route, { method, headers, agent }, resolve)
      .once('error', reject)
      .end(body);
  });
  let text = '';
  for await (const chunk of response) text += chunk;
  if (response.statusCode !== 200) throw new Error(`${method} ${route}: ${response.statusCode} ${text}`);
  return JSON.parse(text);
}

/** Returns the first line that a process prints. */
export async function firstLine(child) {
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0];
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

const TICKS = 100;

/** Returns the processor time of a process so far, in milliseconds. */
export function processorOf({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

/** Makes a stack and starts an update of it. Returns the path of the update and the authorization of its holder. */
export async function startUpdate(url, stack, auth, agent) {
  const post = (route, body) =>
    callRoute(url, { method: 'POST', route, authorization: auth, body: JSON.stringify(body), agent });
  const at = `/api/stacks/organization/shop/${stack}`;
  await post('/api/stacks/organization/shop', { stackName: stack });
  const { updateID } = await post(`${at}/update`, { options: { dryRun: false } });
  const route = `${at}/update/${updateID}`;
  const { token } = await post(route, { journalVersion: 1 });
  return { stack, id: updateID, route, holder: `update-token ${token}` };
}

/**
 * Opens a connection that sends PATCH requests of JSON, one after the other, and waits for each answer. It costs little
 * beside what it measures. `send` throws unless the answer is 200.
 */
export async function openSender(url) {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let text = '';
  let settle = {};
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)[1]);
    if (text.length < end + 4 + length) return;
    if (text.startsWith('HTTP/1.1 200')) settle.resolve();
    else settle.reject(new Error(text));
    text = '';
  });
  socket.on('error', (error) => settle.reject?.(error));
  return {
    send: (route, authorization, body) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        const head = `PATCH ${route} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\ncontent-type: application/json`;
        socket.write(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      }),
    close: () => socket.destroy(),
  };
}
