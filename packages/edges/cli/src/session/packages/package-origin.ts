import { gitUrl, packageSource } from '@cairn/operations';
import type { PackageSource } from '@cairn/operations';
import { cairnError } from '@cairn/diagnostics';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { installAll } from '../plugins/install-all.js';

/**
 * What a text names as the source of a package, ready to be asked: a plugin in a git repository is installed, with what
 * it depends on, and has its version.
 */
export async function packageOrigin(
  world: World,
  flags: Flags,
  text: string,
  server: string | undefined,
): Promise<PackageSource> {
  const source = await packageSource(text, world.cwd);
  if (source.t !== 'git') return source;
  if (server !== undefined)
    throw cairnError('CAIRN-USAGE', 'a plugin in a git repository comes from no other server', {
      hint: 'leave --server out, or name the plugin alone',
    });
  const [installed] = await installAll(
    world,
    flags,
    [{ plugin: { kind: 'resource', name: gitUrl(source), version: source.version } }],
    { reinstall: false, exact: true, parallel: 1 },
  );
  return { ...source, version: installed?.plugin.version };
}
