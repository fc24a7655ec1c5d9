import './use-postgres.js';
import './run-tokens.test.js';
