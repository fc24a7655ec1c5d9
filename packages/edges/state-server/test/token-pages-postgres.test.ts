import './use-postgres.js';
import './token-pages.test.js';
