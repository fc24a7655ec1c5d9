import './use-postgres.js';
import './mutated.test.js';
