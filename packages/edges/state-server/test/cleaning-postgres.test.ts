import './use-postgres.js';
import './cleaning.test.js';
