import './use-postgres.js';
import './metrics.test.js';
