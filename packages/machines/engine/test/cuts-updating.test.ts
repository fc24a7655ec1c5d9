import { UPDATING } from '@cairn/testkit/cut';
import { cutSuite } from './cut-suite.js';

cutSuite('Objects that are altered', UPDATING, 600);
