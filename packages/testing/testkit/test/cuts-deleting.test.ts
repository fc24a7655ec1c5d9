import { DELETING } from '../src/cut/scenarios/deleting.js';
import { cutSuite } from './cut-suite.js';

cutSuite('Objects that go', DELETING, 1300);
