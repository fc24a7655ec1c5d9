import { CREATING } from '@cairn/testkit/cut';
import { cutSuite } from './cut-suite.js';

cutSuite('Objects that are made', CREATING, 1800);
