import './use-postgres.js';
import './roles.test.js';
