import './use-postgres.js';
import './hooks.test.js';
