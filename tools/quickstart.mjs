// npm run quickstart: from a fresh clone to real resources. With --destroy it takes them down again.
import path from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './setup.mjs';

requireNode();
const packages = ['@cairn/cli', '@cairn/sdk', '@cairn/provider-local', '@cairn/provider-random'];
ensureInstalled(packages);
ensureBuilt(packages);

const destroy = process.argv.includes('--destroy');
const cairn = path.join(root, 'packages', 'edges', 'cli', 'bin', 'cairn.cjs');
const project = path.join(root, 'examples', 'quickstart');

// The example keeps its state beside itself, so that it touches nothing else on the machine.
const env = {
  CAIRN_BACKEND_URL:
    process.env.CAIRN_BACKEND_URL ?? `file://${path.join(project, '.state')}?create_dir=true`,
  CAIRN_HOME: process.env.CAIRN_HOME ?? path.join(project, '.state', 'home'),
  CAIRN_CONFIG_PASSPHRASE: process.env.CAIRN_CONFIG_PASSPHRASE ?? 'quickstart',
};

const words = destroy ? ['destroy', '--yes', '--stack', 'dev'] : ['up', '--yes', '--stack', 'dev'];
if (!destroy)
  run(process.execPath, [cairn, 'stack', 'select', '--create', 'dev', '--cwd', project], {
    env,
    quiet: true,
  });
run(process.execPath, [cairn, ...words, '--cwd', project], { env });
