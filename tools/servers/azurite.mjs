// Azurite, Microsoft's emulator of Blob storage, in a process of its own:
// `node tools/servers/azurite.mjs [CONTAINER…]`. On a free port, everything in memory, no telemetry. Prints one line of
// JSON (url, env, bucketUrl) when it serves, and ends when standard input does.
import { fileURLToPath } from 'node:url';
import { startAzurite } from '../../packages/testing/testkit/dist/servers/index.js';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const containers = process.argv.length > 2 ? process.argv.slice(2) : ['bucket'];
  const server = await startAzurite();
  for (const name of containers) await server.createContainer(name);
  const address = { url: server.url, env: server.env, bucketUrl: server.address(containers[0]) };
  process.stdout.write(`${JSON.stringify(address)}\n`);
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve));
  await server.close();
}
