import changes from './changes.mjs';
import importFiles from './import-files.mjs';
import options from './options.mjs';
import rules from './rules.mjs';
import values from './values.mjs';

/** All cases, by name. */
export const CASES = [...options, ...changes, ...values, ...rules, ...importFiles];
