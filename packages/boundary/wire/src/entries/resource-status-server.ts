export { resourceStatusService } from '../resource-status/server.js';
