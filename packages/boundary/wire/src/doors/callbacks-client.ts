export { CallbackConnections, CallbacksClient } from '../callbacks/client.js';
