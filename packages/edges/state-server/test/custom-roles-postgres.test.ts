import './use-postgres.js';
import './custom-roles.test.js';
