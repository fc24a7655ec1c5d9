import './use-postgres.js';
import './take-records.test.js';
