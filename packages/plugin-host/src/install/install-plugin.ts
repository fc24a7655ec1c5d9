import { fail } from '@cairn/diagnostics';
import { selectPlugin } from '../discovery/plugin-cache.js';
import { readSettings } from '../settings.js';
import { withDownload } from './download-archive.js';
import { installedPlugins } from './installed-plugins.js';
import { archiveContent, fileContent } from './plugin-content.js';
import type { PluginContent } from './plugin-content.js';
import { pluginLabel } from './plugin-identity.js';
import type { PluginIdentity, PluginReference } from './plugin-identity.js';
import { sourceAt } from './plugin-source.js';
import type { PluginSource } from './source-contract.js';
import { platformKey, thisPlatform } from './platform.js';
import { storePlugin } from './store-plugin.js';
import { webClient } from './web-client.js';

/** A plugin that shall be installed. */
export interface InstallRequest {
  readonly plugin: PluginReference;
  /** Where from; undefined: the usual place. */
  readonly server?: string | undefined;
  /** The archive itself; then the server is not asked. */
  readonly archiveUrl?: string | undefined;
  /** A gzipped tar, a directory or an executable on this machine (absolute) instead of a download. */
  readonly file?: string | undefined;
  /** `os-arch` to hex SHA-256 of the archive. */
  readonly checksums?: Readonly<Record<string, string>> | undefined;
}

/** What installing works with. */
export interface InstallContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Version of the tool, for those it asks. */
  readonly toolVersion: string;
  /** Install what is there already. */
  readonly reinstall: boolean;
  /** Only the very version that was asked for counts as there. */
  readonly exact: boolean;
  /** Installs what a plugin needs that is run by a language runtime. */
  readonly prepare: (directory: string) => Promise<void>;
  readonly tell: InstallListener;
}

/** Who hears how it goes. Nothing of it may throw. */
export interface InstallListener {
  onStart(plugin: PluginIdentity): void;
  onProgress(plugin: PluginIdentity, bytes: number, total: number | undefined): void;
  onRetry(plugin: PluginIdentity, why: string): void;
  /** Another process installs the same plugin. */
  onWaiting(plugin: PluginIdentity): void;
}

/** What became of a request. */
export interface InstallResult {
  readonly plugin: PluginIdentity;
  readonly outcome: 'installed' | 'present';
}

/**
 * Installs a plugin into the cache. Without a version the newest is taken. Fails with CAIRN-PLUGIN-INSTALL,
 * CAIRN-PLUGIN-CHECKSUM or CAIRN-USAGE; nothing is left then.
 */
export async function installPlugin(
  request: InstallRequest,
  context: InstallContext,
): Promise<InstallResult> {
  const { environment, tell } = context;
  const source = request.file === undefined ? sourceOf(request, context) : undefined;
  const plugin = { ...request.plugin, version: request.plugin.version ?? (await newest(request, source)) };
  if (!context.reinstall && (await isThere(plugin, context))) return { plugin, outcome: 'present' };
  tell.onStart(plugin);
  const store = async (content: PluginContent): Promise<InstallResult> => ({
    plugin,
    outcome: await storePlugin(readSettings(environment).installDirectory, plugin, content, {
      environment,
      reinstall: context.reinstall,
      prepare: context.prepare,
      onWaiting: () => tell.onWaiting(plugin),
    }),
  });
  if (source === undefined) return store(await fileContent(request.file ?? '', plugin));
  return withDownload(
    {
      label: pluginLabel(plugin),
      from: source.url,
      open: (signal) => source.archive(plugin.version, signal),
      sha256: request.checksums?.[platformKey(thisPlatform())],
      onProgress: (bytes, total) => tell.onProgress(plugin, bytes, total),
      onRetry: (why) => tell.onRetry(plugin, why),
    },
    (archive) => store(archiveContent(archive, source.url)),
  );
}

function sourceOf({ plugin, server, archiveUrl }: InstallRequest, context: InstallContext): PluginSource {
  const { environment, toolVersion } = context;
  const web = webClient(environment, toolVersion);
  if (archiveUrl !== undefined)
    return {
      url: archiveUrl,
      latest: () => fail('CAIRN-USAGE', `${archiveUrl} says no version`),
      archive: (_version, signal) => web({ url: archiveUrl, signal }),
    };
  return sourceAt(server, { plugin, platform: thisPlatform(), web, environment });
}

async function newest({ plugin }: InstallRequest, source: PluginSource | undefined): Promise<string> {
  if (source !== undefined) return source.latest();
  return fail('CAIRN-USAGE', 'missing plugin version argument, this is required if installing from a file', {
    hint: `name the version: plugin install ${plugin.kind} ${plugin.name} 1.2.3 --file …`,
  });
}

/** Whether a run that needs the plugin would find one in a cache. */
async function isThere(plugin: PluginIdentity, { environment, exact }: InstallContext): Promise<boolean> {
  const { cacheDirectories, legacySearch } = readSettings(environment);
  const plugins = await installedPlugins(cacheDirectories);
  return selectPlugin(plugins, plugin, legacySearch && !exact) !== undefined;
}
