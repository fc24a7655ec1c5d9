import { UPDATING } from '../src/cut/scenarios/updating.js';
import { cutSuite } from './cut-suite.js';

cutSuite('Objects that are altered', UPDATING, 600);
