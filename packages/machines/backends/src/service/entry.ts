/** Client of state services. It is loaded when one is used. */
export { readAccount } from './account.js';
export { exchangeToken } from './exchange.js';
export { openServiceBackend } from './open-service-backend.js';
export { secretsOf } from './secrets.js';
