import './use-postgres.js';
import './terraform.test.js';
