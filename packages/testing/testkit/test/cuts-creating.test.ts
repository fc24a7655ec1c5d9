import { CREATING } from '../src/cut/scenarios/creating.js';
import { cutSuite } from './cut-suite.js';

cutSuite('Objects that are made', CREATING, 1800);
