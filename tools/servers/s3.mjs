// The test kit's S3 server in a process of its own: `node tools/servers/s3.mjs [--latency MS] [--conditions
// honoured|ignored|refused]`. Prints one line of JSON (url, env, bucketUrl) when it serves, takes faults as lines of
// JSON on standard input (answered by a line each), and ends when standard input does. `{"requests":true}` asks for the
// number of requests so far.
import { createInterface } from 'node:readline';
import { startS3Server } from '../../packages/testing/testkit/dist/servers/index.js';
import { toolOptions } from '../tool-options.mjs';

const { values } = toolOptions(import.meta.url, {
  options: { latency: { type: 'string' }, conditions: { type: 'string', default: 'honoured' } },
});
const { latency, conditions } = values;
const server = await startS3Server({
  conditions,
  ...(latency !== undefined && { latency: Number(latency) }),
});
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
print({ url: server.url, env: server.env, bucketUrl: server.bucketUrl('bucket') });

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.requests === true) print(traffic());
  else {
    const { match, times = 1, ...fault } = asked;
    server.faults.repeat(times, { ...fault, ...(match !== undefined && { match: new RegExp(match) }) });
    print({ ok: true });
  }
}
await server.close();

/** Returns the traffic so far; `parts` are objects of journals, each a group of records. */
function traffic() {
  const parts = server.requests.filter(
    ({ method, target }) => method === 'PUT' && /\.log\.p\d{8}/.test(target),
  );
  const bytes = (requests) => requests.reduce((sum, request) => sum + request.bodySize, 0);
  return {
    requests: server.requests.length,
    bytes: bytes(server.requests),
    sent: server.sent(),
    parts: parts.length,
    partBytes: bytes(parts),
    byKind: countBy(server.requests, kindOf),
  };
}

function kindOf({ method, target }) {
  const name = decodeURIComponent(target.split('?')[0])
    .replace(/\d{6,}|[0-9a-f-]{36}/g, '*')
    .split('/')
    .slice(4)
    .join('/');
  return `${method} ${target.includes('list-type') ? 'list' : target.includes('?delete') ? 'delete many' : name}`;
}

function countBy(list, key) {
  const counts = {};
  for (const one of list) counts[key(one)] = (counts[key(one)] ?? 0) + 1;
  return counts;
}
