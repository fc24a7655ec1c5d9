import type { ForgeSettings } from '../config/agent-config.js';
import type { ForgeApi } from './forge.js';
import type { ForgeClient } from './forge-client.js';
import { gitlabApi } from './gitlab.js';
import { hubApi } from './hub.js';

/** Returns the API of a forge. */
export function forgeApi(settings: ForgeSettings, client: ForgeClient): ForgeApi {
  return settings.kind === 'gitlab'
    ? gitlabApi(settings.repository, client)
    : hubApi(settings.kind, settings.repository, client);
}
