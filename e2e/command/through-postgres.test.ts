import '../support/use-postgres-service.js';
import './operations.test.js';
import './state-edits.test.js';
import '../process/unfinished-edits.test.js';
