import './use-postgres.js';
import './source-looks.test.js';
