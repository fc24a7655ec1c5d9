// Calls and small helpers that the benchmarks of the state service share.
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
