export { MonitorClient } from '../monitor/client.js';
