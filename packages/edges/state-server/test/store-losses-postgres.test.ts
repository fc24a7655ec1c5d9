import './use-postgres.js';
import './store-losses.test.js';
