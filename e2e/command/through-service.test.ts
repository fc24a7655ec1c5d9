import '../support/use-service.js';
import './operations.test.js';
import './saved-plans.test.js';
import './state-edits.test.js';
import '../process/unfinished-edits.test.js';
