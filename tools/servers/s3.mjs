// The test kit's S3 server in a process of its own: `node tools/servers/s3.mjs [--latency MS]`. Prints one line of JSON (url, env,
// bucketUrl) when it serves, takes faults as lines of JSON on standard input (answered by a line each), and ends when standard input does.
// `{"requests":true}` asks for the number of requests so far.
import { createInterface } from 'node:readline';
import { startS3Server } from '../../packages/testkit/dist/servers/index.js';

const latency = Number(process.argv[process.argv.indexOf('--latency') + 1]) || undefined;
const server = await startS3Server(latency === undefined ? {} : { latency });
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
print({ url: server.url, env: server.env, bucketUrl: server.bucketUrl('bucket') });

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.requests === true) print({ requests: server.requests.length, bytes: sentBytes() });
  else {
    const { match, times = 1, ...fault } = asked;
    server.faults.repeat(times, { ...fault, ...(match !== undefined && { match: new RegExp(match) }) });
    print({ ok: true });
  }
}
await server.close();

function sentBytes() {
  return server.requests.reduce((sum, request) => sum + request.bodySize, 0);
}
