// One route that unpacks and parses a body, and nothing else: on the HTTP libraries of the state service, or, with a
// FOLDER, on Node alone, with a durable append of the body to a file of its path. Prints its address.
// `service-batch.mjs` compares the service with both: `node bare-route.mjs [FOLDER]`.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

const [folder] = process.argv.slice(2);
const unzip = promisify(gunzip);
const server = createServer(folder === undefined ? routed() : durable());
// As long as the service keeps them: callers use a connection again after a round of the other server.
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));

function routed() {
  const app = new Hono();
  app.patch('/*', async (context) => {
    const body = await unzip(Buffer.from(await context.req.arrayBuffer()));
    return context.json({ count: JSON.parse(body.toString('utf8')).entries.length });
  });
  return getRequestListener((request) => app.fetch(request));
}

function durable() {
  const { O_APPEND, O_CREAT, O_WRONLY, O_DSYNC } = constants;
  const files = new Map();
  const fileOf = (url) => {
    const name = url.replaceAll('/', '-');
    if (!files.has(name))
      files.set(name, open(path.join(folder, name), O_APPEND | O_CREAT | O_WRONLY | O_DSYNC));
    return files.get(name);
  };
  return (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const body = gunzipSync(Buffer.concat(chunks));
      const { entries } = JSON.parse(body.toString('utf8'));
      await (await fileOf(request.url)).writev([body]);
      const text = JSON.stringify({ count: entries.length });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.end(text);
    });
  };
}
