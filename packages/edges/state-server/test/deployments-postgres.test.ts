import './use-postgres.js';
import './deployments.test.js';
