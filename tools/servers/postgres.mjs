// A PostgreSQL server in a folder of its own: `node tools/servers/postgres.mjs`. On a free port of the
// loopback address.
// Prints one line of JSON (host, port, user, password, env) when it serves, and ends when standard input does.
// `node tools/servers/install.mjs` installs its programs where that can be done.
import { fileURLToPath } from 'node:url';
import { startPostgres, whyNoPostgres } from '../../packages/testing/testkit/dist/servers/index.js';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const why = whyNoPostgres();
  if (why !== undefined) {
    console.error(`no PostgreSQL: ${why}`);
    process.exit(1);
  }
  const server = await startPostgres();
  const { host, port, user, password, env } = server;
  process.stdout.write(`${JSON.stringify({ host, port, user, password, env })}\n`);
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve));
  await server.close();
}
