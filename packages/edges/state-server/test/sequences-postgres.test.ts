import './use-postgres.js';
import './sequences.test.js';
