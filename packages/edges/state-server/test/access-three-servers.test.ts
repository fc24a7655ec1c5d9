import './use-three-servers.js';
import './access.test.js';
