import { UNDOING } from '@cairn/testkit/cut';
import { cutSuite } from './cut-suite.js';

cutSuite('Operations that take back what they did', UNDOING, 1400);
