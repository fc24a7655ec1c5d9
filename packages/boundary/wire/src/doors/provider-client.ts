export { ProviderClient } from '../provider/client.js';
export type { ProviderClientOptions } from '../provider/setup-client.js';
