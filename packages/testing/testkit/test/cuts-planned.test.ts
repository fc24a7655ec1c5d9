import { PLANNED } from '../src/cut/scenarios/planned.js';
import { cutSuite } from './cut-suite.js';

cutSuite('Complete plans without their program', PLANNED, 300);
