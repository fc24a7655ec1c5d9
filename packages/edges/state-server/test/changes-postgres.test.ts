import './use-postgres.js';
import './changes.test.js';
