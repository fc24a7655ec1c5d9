import { installPlugin } from '@cairn/plugin-host/install';
import type { InstallListener, InstallRequest, InstallResult } from '@cairn/plugin-host/install';
import type { Ports } from '../ports.js';
import { preparePlugin } from './prepare-plugin.js';

/** Options to install plugins. */
export interface InstallSettings {
  readonly reinstall: boolean;
  readonly exact: boolean;
  /** Number of plugins at a time; 0 for all of them. */
  readonly parallel: number;
}

/** Installs plugins, some at a time, and reports each. Throws the first failure once all have ended. */
export async function installAll(
  ports: Ports,
  requests: readonly InstallRequest[],
  { reinstall, exact, parallel }: InstallSettings,
): Promise<readonly InstallResult[]> {
  const queue = [...requests];
  const results: InstallResult[] = [];
  const failures: unknown[] = [];
  const context = {
    environment: ports.env,
    toolVersion: ports.version,
    reinstall,
    exact,
    prepare: (directory: string) => preparePlugin(ports, directory),
    tell: listener(ports),
  };
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await installPlugin(next, context).then(
        (result) => results.push(result),
        (error: unknown) => failures.push(error),
      );
  };
  const workers = parallel < 1 ? requests.length : Math.min(parallel, requests.length);
  await Promise.all(Array.from({ length: workers }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}

function listener({ interaction: { making } }: Ports): InstallListener {
  return {
    onStart: (plugin) => making?.({ t: 'plugin-started', plugin }),
    onProgress: (plugin, bytes, total) => making?.({ t: 'plugin-progress', plugin, bytes, total }),
    onRetry: (plugin, why) => making?.({ t: 'plugin-retried', plugin, why }),
    onWaiting: (plugin) => making?.({ t: 'plugin-waits', plugin }),
  };
}
