import './use-postgres.js';
import './review-stacks.test.js';
