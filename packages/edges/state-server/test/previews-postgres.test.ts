import './use-postgres.js';
import './previews.test.js';
