import './use-postgres.js';
import './store-faults.test.js';
