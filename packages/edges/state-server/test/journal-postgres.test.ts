import './use-postgres.js';
import './journal.test.js';
