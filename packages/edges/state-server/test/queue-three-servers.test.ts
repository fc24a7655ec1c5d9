import './use-three-servers.js';
import './queue.test.js';
