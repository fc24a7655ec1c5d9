import { DELETING } from '@cairn/testkit/cut';
import { cutSuite } from './cut-suite.js';

cutSuite('Objects that go', DELETING, 1300);
