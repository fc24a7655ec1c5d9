export { installPlugin } from './install-plugin.js';
export type { InstallListener, InstallRequest, InstallResult } from './install-plugin.js';
export { installedPlugins, pluginFacts, removePlugin } from './installed-plugins.js';
export type { PluginInstallation, PluginFacts } from './installed-plugins.js';
export {
  checkedKind,
  checkedPluginName,
  checkedVersion,
  pluginLabel,
  readVersion,
} from './plugin-identity.js';
export type { PluginIdentity } from './plugin-identity.js';
export { platformKey, thisPlatform } from './platform.js';
export { readArchiveName } from './http-source.js';
export { readSettings } from '../settings.js';
export { readPluginManifest } from '../discovery/plugin-manifest.js';
export { providerPackages } from '../discovery/provider-packages.js';
export { checkOut, isGitAddress, readGitAddress } from './git-repository.js';
export { findCommand, findPluginFolder } from './find-command.js';
export type { WantedCommand } from './find-command.js';
export { cachedReference, commitOf, gitPlace, isGitName, readGitSource } from './git-plugin.js';
export { isNpmSource } from './npm-plugin.js';
