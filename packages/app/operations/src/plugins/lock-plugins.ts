import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import { editTextFile, readTextFile } from '@cairn/files';
import { pluginLabel, platformKey, thisPlatform } from '@cairn/plugin-host/install';
import type { InstallRequest, InstallResult } from '@cairn/plugin-host/install';

/** File of a project with the checksums of its downloads [PLUG-13]. */
const LOCK = 'cairn-lock.json';

/** SHA-256 in hex by platform, by the label of the plugin. */
type Plugins = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns the requests of a project with the checksums of its lock file for their plugins. */
export async function withLockedChecksums(
  directory: string,
  requests: readonly InstallRequest[],
): Promise<readonly InstallRequest[]> {
  const { plugins } = await readLock(directory);
  return requests.map((request) => {
    const label = pluginLabel(request.plugin);
    const locked = Object.hasOwn(plugins, label) ? plugins[label] : {};
    return { ...request, checksums: { ...locked, ...request.checksums } };
  });
}

/** Records the checksums of plugins that were downloaded for a project. */
export async function lockPlugins(directory: string, results: readonly InstallResult[]): Promise<void> {
  const file = path.join(directory, LOCK);
  const downloaded = results.filter(({ sha256 }) => sha256 !== undefined);
  if (downloaded.length === 0) return;
  const platform = platformKey(thisPlatform());
  await editTextFile(file, { mode: 0o666, keepMode: true }, (text = '{}') => {
    const { lock, plugins } = lockIn(text, file);
    const made = new Map(Object.entries(plugins));
    for (const { plugin, sha256 = '' } of downloaded)
      made.set(pluginLabel(plugin), { ...made.get(pluginLabel(plugin)), [platform]: sha256 });
    const sorted = Object.fromEntries([...made].sort(([a], [b]) => (a < b ? -1 : 1)));
    return `${JSON.stringify({ ...lock, plugins: sorted }, undefined, 2)}\n`;
  });
}

async function readLock(directory: string): Promise<Lock> {
  const file = path.join(directory, LOCK);
  return lockIn((await readTextFile(file)) ?? '{}', file);
}

interface Lock {
  /** All of the file. */
  readonly lock: object;
  readonly plugins: Plugins;
}

function lockIn(text: string, file: string): Lock {
  try {
    const lock = JSON.parse(text) as { readonly plugins?: Plugins };
    const { plugins = {} } = lock;
    const sums = Object.values(plugins).flatMap((each) => Object.values(each));
    if (sums.every((sum) => /^[0-9a-f]{64}$/.test(sum))) return { lock, plugins };
  } catch {
    // Reported below.
  }
  throw cairnError('CAIRN-USAGE', `cannot read the lock file ${file}`, {
    hint: 'Restore it from version control. Without it the next install records new checksums.',
  });
}
