import { LIMITED } from '@cairn/testkit/cut';
import { cutSuite } from './cut-suite.js';

cutSuite('Limits, refreshes and imports', LIMITED, 1300);
