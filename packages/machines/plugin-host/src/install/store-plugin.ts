import { access, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '@cairn/diagnostics';
import { whileLocked } from './install-lock.js';
import { commandName, entryName, pluginLabel } from './plugin-identity.js';
import type { PluginIdentity } from './plugin-identity.js';
import type { PluginContent } from './plugin-content.js';

/** Options for storing a plugin in a cache. */
interface StoreOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Write it again if it exists. */
  readonly reinstall: boolean;
  /** Folder inside the directory of the plugin that contains its executable or manifest. */
  readonly subdirectory?: string | undefined;
  /** SHA-256 in hex of the archive with the content, which is recorded beside the plugin. */
  readonly sha256?: string | undefined;
  /** Called for a plugin that a runtime runs, before it counts as installed. */
  readonly prepare: (directory: string) => Promise<void>;
  /** Called when another process installs the same plugin, before waiting for it. */
  readonly onWaiting: () => void;
}

/**
 * Puts a plugin into a cache that several tools share [PLUG-2]: under the lock of the plugin, with a marker beside it
 * while files are missing. A failure leaves nothing. The result says if anything was written.
 */
export async function storePlugin(
  cache: string,
  plugin: PluginIdentity,
  content: PluginContent,
  options: StoreOptions,
): Promise<'installed' | 'present'> {
  const directory = join(cache, entryName(plugin));
  const marker = `${directory}.partial`;
  await mkdir(cache, { recursive: true, mode: 0o700 });
  return whileLocked(`${directory}.lock`, options.environment, options.onWaiting, async () => {
    if (!options.reinstall && (await exists(directory)) && !(await exists(marker))) return 'present';
    await writeFile(marker, '', { mode: 0o600 });
    try {
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { mode: 0o700 });
      await content(directory);
      await prepared(join(directory, options.subdirectory ?? ''), plugin, options);
      await recordSha256(directory, options.sha256);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      await rm(marker, { force: true });
      throw error;
    }
    await rm(marker, { force: true });
    return 'installed';
  });
}

const sha256File = (directory: string): string => `${directory}.sha256`;

async function recordSha256(directory: string, sha256: string | undefined): Promise<void> {
  if (sha256 === undefined) await rm(sha256File(directory), { force: true });
  else await writeFile(sha256File(directory), sha256, { mode: 0o600 });
}

/**
 * Returns the SHA-256 of the archive of an installed plugin. Returns undefined if it was not downloaded, or by another
 * tool.
 */
export async function recordedSha256(directory: string): Promise<string | undefined> {
  const text = await readFile(sha256File(directory), 'utf8').catch(() => '');
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
}

async function prepared(directory: string, plugin: PluginIdentity, options: StoreOptions): Promise<void> {
  const files = new Set(await readdir(directory).catch(() => []));
  if (files.has('PulumiPlugin.yaml') || files.has('PulumiPolicy.yaml')) await options.prepare(directory);
  else if (!['', '.exe', '.cmd'].some((suffix) => files.has(commandName(plugin) + suffix)))
    fail('CAIRN-PLUGIN-INSTALL', `the archive is not the ${pluginLabel(plugin)}`, {
      causes: [`it has neither ${commandName(plugin)} nor PulumiPlugin.yaml`, `it has ${shown(files)}`],
      hint: 'Check kind and name; an archive has these files at its top.',
    });
}

function shown(files: ReadonlySet<string>): string {
  const names = [...files].sort();
  if (names.length === 0) return 'nothing';
  return names.slice(0, 10).join(', ') + (names.length > 10 ? `, and ${names.length - 10} more` : '');
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
