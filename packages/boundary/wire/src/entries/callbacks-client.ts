export { CallbackConnections } from '../callbacks/client.js';
