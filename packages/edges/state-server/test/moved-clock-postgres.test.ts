import './use-postgres.js';
import './moved-clock.test.js';
