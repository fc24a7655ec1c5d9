// Calls and small helpers that the benchmarks of the state service share.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';

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
