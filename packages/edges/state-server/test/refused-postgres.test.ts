import './use-postgres.js';
import './refused.test.js';
