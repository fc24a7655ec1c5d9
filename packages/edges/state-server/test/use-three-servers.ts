import './use-postgres.js';
import { useServers } from './service.js';

useServers(3);
