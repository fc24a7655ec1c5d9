import './use-three-servers.js';
import './journal.test.js';
