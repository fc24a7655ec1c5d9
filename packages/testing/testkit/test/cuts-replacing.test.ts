import { REPLACING } from '../src/cut/scenarios/replacing.js';
import { cutSuite } from './cut-suite.js';

cutSuite('Objects that are replaced', REPLACING, 1200);
