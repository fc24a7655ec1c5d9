import './use-postgres.js';
import './stack-config.test.js';
