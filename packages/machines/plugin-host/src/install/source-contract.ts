import type { PluginReference } from './plugin-identity.js';
import type { Platform } from './platform.js';
import type { WebClient } from './web-client.js';

/** Source of archives of a plugin. */
export interface PluginSource {
  /** URL in messages. */
  readonly url: string;
  /** Returns the newest available version. Fails for a source that cannot know it. */
  latest(): Promise<string>;
  /** Downloads the archive of a version for a platform. */
  archive(version: string, signal?: AbortSignal): Promise<Response>;
}

/** Context from which a source is made. */
export interface SourceContext {
  readonly plugin: Pick<PluginReference, 'kind' | 'name'>;
  readonly platform: Platform;
  readonly web: WebClient;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
