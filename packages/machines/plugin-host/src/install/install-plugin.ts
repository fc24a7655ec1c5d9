import { cairnError, fail, isCairnError, messageOf } from '@cairn/diagnostics';
import { selectPlugin } from '../discovery/plugin-cache.js';
import { readSettings } from '../settings.js';
import { withDownload } from './download-archive.js';
import type { Download } from './download-archive.js';
import { findGitPlugin, isGitName } from './git-plugin.js';
import { installedPlugins } from './installed-plugins.js';
import { isNpmSource, withNpmPackage } from './npm-plugin.js';
import { archiveContent, fileContent } from './plugin-content.js';
import type { PluginContent } from './plugin-content.js';
import { pluginLabel } from './plugin-identity.js';
import type { PluginIdentity, PluginReference } from './plugin-identity.js';
import { sourceAt } from './plugin-source.js';
import type { PluginSource } from './source-contract.js';
import { platformKey, thisPlatform } from './platform.js';
import { recordedSha256, storePlugin } from './store-plugin.js';
import { webClient } from './web-client.js';

/** Plugin to install. */
export interface InstallRequest {
  readonly plugin: PluginReference;
  /** Source of the plugin. Defaults to the usual place. */
  readonly server?: string | undefined;
  /** URL of the archive itself. The server is not used then. */
  readonly archiveUrl?: string | undefined;
  /** Gzipped tar, directory or executable on this machine (absolute) instead of a download. */
  readonly file?: string | undefined;
  /** `os-arch` to hex SHA-256 of the archive. */
  readonly checksums?: Readonly<Record<string, string>> | undefined;
}

/** Context of an installation. */
interface InstallContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Version of the tool, for the servers that it calls. */
  readonly toolVersion: string;
  /** Install even if the plugin is already installed. */
  readonly reinstall: boolean;
  /** Only exactly the requested version counts as there. */
  readonly exact: boolean;
  /** Installs the dependencies of a plugin that a language runtime runs. */
  readonly prepare: (directory: string) => Promise<void>;
  readonly tell: InstallListener;
}

/** Receives the progress of an installation. Its methods must not throw. */
export interface InstallListener {
  onStart(plugin: PluginIdentity): void;
  onProgress(plugin: PluginIdentity, bytes: number, total: number | undefined): void;
  onRetry(plugin: PluginIdentity, why: string): void;
  /** Called when another process installs the same plugin. */
  onWaiting(plugin: PluginIdentity): void;
}

/** Result of a request. */
export interface InstallResult {
  readonly plugin: PluginIdentity;
  readonly outcome: 'installed' | 'present';
  /** SHA-256 in hex of the downloaded archive. Undefined if Cairn did not download it. */
  readonly sha256: string | undefined;
}

/**
 * Installs a plugin into the cache. Without a version it takes the newest. Fails with CAIRN-PLUGIN-INSTALL,
 * CAIRN-PLUGIN-CHECKSUM or CAIRN-USAGE, and then leaves nothing.
 */
export async function installPlugin(
  request: InstallRequest,
  context: InstallContext,
): Promise<InstallResult> {
  const { environment } = context;
  const { plugin: wanted, server, file } = request;
  if (file === undefined && isNpmSource(server))
    return withNpmPackage(server, wanted, environment, ({ plugin, content }) =>
      stored(plugin, request, context, (store) => store(content)),
    );
  const place = isGitName(wanted.name) ? wanted.name : server?.startsWith('git://') ? server : undefined;
  if (file === undefined && place !== undefined) {
    const { plugin, subdirectory, content } = await findGitPlugin(
      wanted.kind,
      place,
      wanted.version,
      environment,
    );
    return stored(plugin, request, context, (store) => store(content, { subdirectory }));
  }
  const source = file === undefined ? sourceOf(request, context) : undefined;
  const plugin = { ...wanted, version: wanted.version ?? (await newest(request, source)) };
  return stored(plugin, request, context, async (store) =>
    source === undefined
      ? store(await fileContent(file ?? '', plugin))
      : withDownload(downloadOf(plugin, source, request, context), (archive, sha256) =>
          store(archiveContent(archive, source.url), { sha256 }),
        ),
  );
}

type Store = (
  content: PluginContent,
  more?: { readonly subdirectory?: string; readonly sha256?: string },
) => Promise<Pick<InstallResult, 'outcome' | 'sha256'>>;

/** Installs a plugin that is not installed yet. Checks an installed one against the requested checksum. */
async function stored(
  plugin: PluginIdentity,
  request: InstallRequest,
  context: InstallContext,
  install: (store: Store) => Promise<Pick<InstallResult, 'outcome' | 'sha256'>>,
): Promise<InstallResult> {
  const there = context.reinstall ? undefined : await installedHere(plugin, context);
  if (there !== undefined) {
    const sha256 = await recordedSha256(there.directory);
    refuseOther(plugin, there, sha256, request.checksums?.[platformKey(thisPlatform())]);
    return { plugin, outcome: 'present', sha256 };
  }
  const { environment, reinstall, prepare, tell } = context;
  tell.onStart(plugin);
  const cache = readSettings(environment).installDirectory;
  const store: Store = async (content, { subdirectory, sha256 } = {}) => {
    const onWaiting = (): void => tell.onWaiting(plugin);
    const options = { environment, reinstall, subdirectory, sha256, prepare, onWaiting };
    return { outcome: await storePlugin(cache, plugin, content, options), sha256 };
  };
  return { plugin, ...(await install(store)) };
}

/**
 * Refuses an installed plugin with another checksum. One of another version, which fits as well, has another archive
 * and is not checked.
 */
function refuseOther(
  plugin: PluginIdentity,
  { version, directory }: { readonly version: string | undefined; readonly directory: string },
  sha256: string | undefined,
  wanted: string | undefined,
): void {
  if (sha256 === undefined || wanted === undefined || version !== plugin.version) return;
  if (sha256 === wanted.toLowerCase()) return;
  fail('CAIRN-PLUGIN-CHECKSUM', `the installed ${pluginLabel(plugin)} is not the recorded one`, {
    causes: [
      `${directory} was downloaded as an archive with the SHA-256 ${sha256}`,
      `the recorded one is ${wanted.toLowerCase()}`,
    ],
    hint: 'Run `cairn plugin install --reinstall` to download it again, or correct the record.',
  });
}

function downloadOf(
  plugin: PluginIdentity,
  source: PluginSource,
  { checksums }: InstallRequest,
  { tell }: InstallContext,
): Download {
  return {
    label: pluginLabel(plugin),
    from: source.url,
    open: (signal) => source.archive(plugin.version, signal),
    sha256: checksums?.[platformKey(thisPlatform())],
    onProgress: (bytes, total) => tell.onProgress(plugin, bytes, total),
    onRetry: (why) => tell.onRetry(plugin, why),
  };
}

function sourceOf({ plugin, server, archiveUrl }: InstallRequest, context: InstallContext): PluginSource {
  const { environment, toolVersion } = context;
  const web = webClient(environment, toolVersion);
  if (archiveUrl !== undefined)
    return {
      url: archiveUrl,
      latest: () => fail('CAIRN-USAGE', `${archiveUrl} does not contain a version`),
      archive: (_version, signal) => web({ url: archiveUrl, signal }),
    };
  return sourceAt(server, { plugin, platform: thisPlatform(), web, environment });
}

async function newest({ plugin }: InstallRequest, source: PluginSource | undefined): Promise<string> {
  if (source !== undefined)
    return source.latest().catch((error: unknown) => {
      if (isCairnError(error)) throw error;
      const details = {
        causes: [messageOf(error)],
        hint: 'Check the network, name the version, or name another place with --server.',
      };
      const what = `cannot determine the newest version of the ${pluginLabel(plugin)}`;
      throw cairnError('CAIRN-PLUGIN-INSTALL', what, details, error);
    });
  return fail('CAIRN-USAGE', 'missing plugin version argument, this is required if installing from a file', {
    hint: `Name the version: plugin install ${plugin.kind} ${plugin.name} 1.2.3 --file …`,
  });
}

/** Returns the cached plugin that a run which needs it would find. */
async function installedHere(plugin: PluginIdentity, { environment, exact }: InstallContext) {
  const { cacheDirectories, legacySearch } = readSettings(environment);
  const plugins = await installedPlugins(cacheDirectories);
  return selectPlugin(plugins, plugin, legacySearch && !exact);
}
