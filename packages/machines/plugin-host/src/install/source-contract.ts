import type { PluginReference } from './plugin-identity.js';
import type { Platform } from './platform.js';
import type { WebClient } from './web-client.js';

/** Where archives of a plugin may be downloaded. */
export interface PluginSource {
  /** As messages name it. */
  readonly url: string;
  /** The newest version there is. Fails where nobody can say. */
  latest(): Promise<string>;
  /** The archive of a version for a platform. */
  archive(version: string, signal?: AbortSignal): Promise<Response>;
}

/** What a source is made of. */
export interface SourceContext {
  readonly plugin: Pick<PluginReference, 'kind' | 'name'>;
  readonly platform: Platform;
  readonly web: WebClient;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
