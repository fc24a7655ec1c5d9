import { LIMITED } from '../src/cut/scenarios/limited.js';
import { cutSuite } from './cut-suite.js';

cutSuite('Limits, refreshes and imports', LIMITED, 1300);
