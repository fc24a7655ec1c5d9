// Runs nx without its background daemon and without asking anything: same behaviour on a laptop and in CI.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const nx = createRequire(import.meta.url).resolve('nx/bin/nx.js');
const result = spawnSync(process.execPath, [nx, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NX_INTERACTIVE: 'false', NX_NO_CLOUD: 'true' },
});
process.exit(result.status ?? 1);
