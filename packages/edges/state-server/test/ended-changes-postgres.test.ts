import './use-postgres.js';
import './ended-changes.test.js';
