import './use-postgres.js';
import './keys.test.js';
