import './use-postgres.js';
import './passwords.test.js';
