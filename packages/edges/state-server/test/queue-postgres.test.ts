import './use-postgres.js';
import './queue.test.js';
