export { monitorService } from '../monitor/server.js';
