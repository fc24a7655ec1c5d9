import { REPLACING } from '@cairn/testkit/cut';
import { cutSuite } from './cut-suite.js';

cutSuite('Objects that are replaced', REPLACING, 1200);
