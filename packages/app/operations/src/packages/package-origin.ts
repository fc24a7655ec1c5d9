import { cairnError } from '@cairn/diagnostics';
import { installAll } from '../plugins/install-all.js';
import type { Ports } from '../ports.js';
import { gitUrl } from './open-package.js';
import { packageSource } from './package-source.js';
import type { PackageSource } from './package-source.js';

/**
 * Returns the source of a package that a text names, ready for questions. A plugin in a git repository is installed
 * with its dependencies, and has its version.
 */
export async function packageOrigin(
  ports: Ports,
  text: string,
  server: string | undefined,
): Promise<PackageSource> {
  const source = await packageSource(text, ports.cwd);
  if (source.t !== 'git') return source;
  if (server !== undefined)
    throw cairnError('CAIRN-USAGE', '--server cannot be used with a plugin in a git repository', {
      hint: 'Leave --server out, or pass only the name of the plugin.',
    });
  const [installed] = await installAll(
    ports,
    [{ plugin: { kind: 'resource', name: gitUrl(source), version: source.version } }],
    { reinstall: false, exact: true, parallel: 1 },
  );
  return { ...source, version: installed?.plugin.version };
}
