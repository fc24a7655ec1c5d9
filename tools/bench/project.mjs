// Projects of the benchmarks: a program on the trivial provider, with a store of its own.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../setup.mjs';
import { measure } from './measure.mjs';

/** Hosts providers in processes of their own that could run in the engine's. */
export const OUT_OF_PROCESS = { CAIRN_PROVIDERS_OUT_OF_PROCESS: '1' };
const COMMAND = path.join('packages', 'edges', 'cli', 'bin', 'cairn.cjs');
/** The command. */
export const cairn = path.join(root, COMMAND);

/**
 * Makes a project in a folder of `work` with a program at `entry` that uses the provider of the benchmarks. Command and
 * provider are those of `checkout`, and `work` is a folder in it.
 */
export function makeProject(work, name, program, entry, checkout = root) {
  const directory = path.join(work, name);
  const state = path.join(directory, '.state');
  mkdirSync(state, { recursive: true });
  const pulumi = entry.endsWith('.js');
  const dependencies = pulumi ? { '@pulumi/pulumi': '*' } : { '@cairn/sdk': '*' };
  writeFileSync(
    path.join(directory, pulumi ? 'Pulumi.yaml' : 'Cairn.yaml'),
    `name: bench\nruntime: nodejs\nmain: ${entry}\n`,
  );
  writeFileSync(
    path.join(directory, 'package.json'),
    JSON.stringify({
      name: 'bench',
      private: true,
      ...(pulumi ? {} : { type: 'module' }),
      dependencies: { ...dependencies, 'cairn-bench-provider': '*' },
    }),
  );
  writeFileSync(path.join(directory, entry), program);
  mkdirSync(path.join(directory, 'node_modules'), { recursive: true });
  symlinkSync(
    path.join(checkout, 'tools', 'bench', 'provider'),
    path.join(directory, 'node_modules', 'cairn-bench-provider'),
  );
  const env = {
    ...process.env,
    CI: 'true',
    NO_COLOR: '1',
    CAIRN_HOME: path.join(directory, '.home'),
    CAIRN_BACKEND_URL: pathToFileURL(state).href,
    CAIRN_CONFIG_PASSPHRASE: 'bench',
  };
  return { directory, state, env, cwd: directory, command: path.join(checkout, COMMAND) };
}

/** Makes the project's stack. */
export async function setUp(project) {
  await measure(
    process.execPath,
    [project.command, 'stack', 'init', 'dev', '--cwd', project.directory],
    project,
  );
}
