import './use-postgres.js';
import './access.test.js';
