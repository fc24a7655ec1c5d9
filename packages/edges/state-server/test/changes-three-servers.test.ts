import './use-three-servers.js';
import './changes.test.js';
