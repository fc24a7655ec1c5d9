import { installPlugin, pluginLabel } from '@cairn/plugin-host/install';
import type {
  InstallListener,
  InstallRequest,
  InstallResult,
  PluginIdentity,
} from '@cairn/plugin-host/install';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { cairnVersion } from '../version.js';
import { preparePlugin } from './prepare-plugin.js';

/** How plugins are installed. */
export interface InstallSettings {
  readonly reinstall: boolean;
  readonly exact: boolean;
  /** How many at once; 0: all of them. */
  readonly parallel: number;
}

/** Installs plugins, some at once; tells of each. The first failure is thrown when all have come to an end. */
export async function installAll(
  world: World,
  flags: Flags,
  requests: readonly InstallRequest[],
  { reinstall, exact, parallel }: InstallSettings,
): Promise<readonly InstallResult[]> {
  const queue = [...requests];
  const results: InstallResult[] = [];
  const failures: unknown[] = [];
  const context = {
    environment: world.env,
    toolVersion: cairnVersion(),
    reinstall,
    exact,
    prepare: (directory: string) => preparePlugin(world, flags, directory),
    tell: listener(world),
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

/** Milliseconds between two lines about one download. */
const QUIET_MS = 5_000;

function listener(world: World): InstallListener {
  const tell = (plugin: PluginIdentity, text: string) =>
    world.stderr.write(`[${pluginLabel(plugin)}] ${text}\n`);
  const told = new Map<string, number>();
  return {
    onStart: (plugin) => {
      told.set(pluginLabel(plugin), world.now().getTime());
      tell(plugin, 'installing');
    },
    onProgress: (plugin, bytes, total) => {
      const now = world.now().getTime();
      if (now - (told.get(pluginLabel(plugin)) ?? now) < QUIET_MS) return;
      told.set(pluginLabel(plugin), now);
      tell(plugin, `downloaded ${sizeText(bytes)}${total === undefined ? '' : ` of ${sizeText(total)}`}`);
    },
    onRetry: (plugin, why) => tell(plugin, `error downloading plugin: ${why}; trying again`),
    onWaiting: (plugin) => tell(plugin, 'waiting for another process that installs it'),
  };
}

/** A number of bytes for people, in powers of 1000. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let amount = bytes / 1000;
  let unit = 0;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}
