export type {
  LanguagePlaces,
  Observed,
  PluginHostOptions,
  PluginLimits,
  PluginMessage,
  ProjectPlugin,
} from './options.js';
export { createPluginHost } from './plugin-host.js';
export type { PluginHost } from './plugin-host.js';
export { createPluginPasses } from './passes/plugin-passes.js';
export { createLanguagePlugin } from './language/language-plugin.js';
export type { LanguagePlugin } from './language/language-plugin.js';
export { messageService, refusalMessages } from './language/message-service.js';
export { startConverter } from './converter/start-converter.js';
export { withoutVersion } from './discovery/project-plugins.js';
