import { phasesOf } from './operation-phases.js';
import type { OperationPhases } from './operation-phases.js';

type Row = [kind: 'up' | 'refresh' | 'destroy' | 'import', options: string, phases: OperationPhases];

const rows: Row[] = [
  ['up', '', { first: 'flagged', program: 'apply', registered: 'none', rest: 'delete-unregistered' }],
  [
    'up',
    'run-program',
    { first: 'flagged', program: 'apply', registered: 'none', rest: 'delete-unregistered' },
  ],
  ['up', 'refresh', { first: 'all', program: 'apply', registered: 'none', rest: 'delete-unregistered' }],
  [
    'up',
    'refresh run-program',
    { first: 'none', program: 'apply', registered: 'all', rest: 'delete-unregistered' },
  ],
  ['refresh', '', { first: 'all', program: undefined, registered: 'none', rest: 'nothing' }],
  ['refresh', 'run-program', { first: 'none', program: 'refresh', registered: 'all', rest: 'refresh' }],
  ['destroy', '', { first: 'flagged', program: undefined, registered: 'none', rest: 'delete' }],
  ['destroy', 'refresh', { first: 'all', program: undefined, registered: 'none', rest: 'delete' }],
  ['destroy', 'run-program', { first: 'none', program: 'destroy', registered: 'flagged', rest: 'delete' }],
  [
    'destroy',
    'refresh run-program',
    { first: 'none', program: 'destroy', registered: 'all', rest: 'delete' },
  ],
  ['import', '', { first: 'none', program: undefined, registered: 'none', rest: 'import' }],
  ['import', 'refresh', { first: 'none', program: undefined, registered: 'none', rest: 'import' }],
];

test.each(rows)('%s %s [REF-8]', (kind, options, phases) => {
  expect(phasesOf(kind, / ?refresh/.test(options), options.includes('run-program'))).toEqual(phases);
});
