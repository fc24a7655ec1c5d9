import type { ForgeSettings } from '../config/agent-config.js';
import type { ForgeApi } from './forge.js';
import { ForgeClient } from './forge-client.js';
import { gitlabApi } from './gitlab.js';
import { hubApi } from './hub.js';

/** Returns the API of a forge. */
export function forgeApi(settings: ForgeSettings, client: ForgeClient): ForgeApi {
  return settings.kind === 'gitlab'
    ? gitlabApi(settings.repository, client)
    : hubApi(settings.kind, settings.repository, client);
}

/** Calls of one forge. */
export interface ConnectedForge {
  readonly api: ForgeApi;
  /** Milliseconds until the forge takes calls again. */
  readonly waitMs: () => number;
}

/** Returns the calls of forges by name. */
export function connectForges(
  forges: readonly ForgeSettings[],
  secretOf: (variable: string) => string,
): ReadonlyMap<string, ConnectedForge> {
  return new Map(
    forges.map((forge) => {
      const client = new ForgeClient(forge, secretOf(forge.token), () => new Date());
      return [forge.name, { api: forgeApi(forge, client), waitMs: () => client.waitMs }] as const;
    }),
  );
}
