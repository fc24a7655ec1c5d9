import './use-postgres.js';
import './sign-in.test.js';
