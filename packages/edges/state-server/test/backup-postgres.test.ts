import './use-postgres.js';
import './backup.test.js';
