import { UNDOING } from '../src/cut/scenarios/undoing.js';
import { cutSuite } from './cut-suite.js';

cutSuite('Operations that take back what they did', UNDOING, 1400);
