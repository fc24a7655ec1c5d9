import './use-three-servers.js';
import './sequences.test.js';
