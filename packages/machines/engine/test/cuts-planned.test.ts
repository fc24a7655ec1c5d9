import { PLANNED } from '@cairn/testkit/cut';
import { cutSuite } from './cut-suite.js';

cutSuite('Complete plans without their program', PLANNED, 300);
