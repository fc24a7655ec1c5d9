export { CallbacksClient } from '../callbacks/client.js';
