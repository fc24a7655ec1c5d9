import './use-postgres.js';
import './past-versions.test.js';
