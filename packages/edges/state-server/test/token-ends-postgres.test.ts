import './use-postgres.js';
import './token-ends.test.js';
