import './use-three-servers.js';
import './passwords.test.js';
