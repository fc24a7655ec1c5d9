import './use-postgres.js';
import './exchange.test.js';
