#!/usr/bin/env node
// The bench provider as a process of its own, served as any plugin is. Resolved from the real folder, so that the
// workspace's packages are found although programs see this package through a link.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(realpathSync(process.argv[1]));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const [
  { providerExtrasService, providerService },
  { healthService, startServer },
  { default: benchProvider },
] = await Promise.all([
  load('@cairn/wire/provider-server'),
  load('@cairn/wire/server'),
  import('./provider.mjs'),
]);
const provider = benchProvider();
const server = await startServer({
  services: [providerService(provider), providerExtrasService(provider), healthService()],
  stream: true,
});
process.on('SIGINT', () => void server.close(0).then(() => process.exit(0)));
process.stdout.write(`${server.address.split(':').pop()}\n`);
