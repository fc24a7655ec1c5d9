import './use-postgres.js';
import './stack-order.test.js';
