// One route of the HTTP libraries of the state service, which unpacks and parses a body, and nothing else. Prints its
// address. `service-batch.mjs` compares the service with it.
import { createServer } from 'node:http';
import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

const unzip = promisify(gunzip);
const app = new Hono();
app.patch('/*', async (context) => {
  const body = await unzip(Buffer.from(await context.req.arrayBuffer()));
  return context.json({ count: JSON.parse(body.toString('utf8')).entries.length });
});
const server = createServer(getRequestListener((request) => app.fetch(request)));
// As long as the service keeps them: callers use a connection again after a round of the other server.
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
