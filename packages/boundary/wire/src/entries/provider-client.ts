export { ProviderClient } from '../provider/client.js';
