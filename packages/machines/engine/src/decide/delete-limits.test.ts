import { makeUrn, urnName } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { Ledger } from '../ledger/ledger.js';
import { priorEntries } from '../prior/entries.js';
import { priorGraph } from '../prior/graph.js';
import { LiveState } from '../record/live-state.js';
import { deleteLimits, neededBy } from './delete-limits.js';
import { scopeFacts } from './scope.js';

const urn = (name: string) => makeUrn({ project: 'p', stack: 's', parent: undefined, type: 'pkg:m:T', name });
const entry = (name: string, rest: Partial<ResourceEntry> = {}) =>
  resourceEntry({ urn: urn(name), type: 'pkg:m:T', custom: true, id: name, ...rest });

/** `c` needs `b`, `b` needs `a`; `w` is replaced with `b`; `x` is alone. */
const base = () => [
  entry('a'),
  entry('b', { dependencies: [urn('a')] }),
  entry('c', { parent: urn('b') }),
  entry('w', { replaceWith: [urn('b')] }),
  entry('x'),
];

function limits(wanted: Partial<Parameters<typeof scopeFacts>[0]>) {
  const entries = priorEntries(new LiveState(base()).base);
  const found = deleteLimits({
    entries,
    graph: priorGraph(entries),
    view: new Ledger(),
    scope: scopeFacts({ targets: [], targetDependents: false, ...wanted }),
    untouched: [],
  });
  const namesOf = (holds: (cell: (typeof entries.cells)[number]) => boolean) =>
    entries.cells
      .filter(holds)
      .map((cell) => urnName(cell.entry.urn))
      .join('');
  return [namesOf(found.covers), namesOf((cell) => found.covers(cell) && found.isDragged(cell))];
}

test.each([
  ['no limit', {}, 'abcwx', ''],
  ['a target and what hangs on it', { targets: [urn('b')] }, 'bcw', 'cw'],
  ['with dependents', { targets: [urn('b')], targetDependents: true }, 'bcw', ''],
  ['several targets', { targets: [urn('b'), urn('c'), '**::w'] }, 'bcw', ''],
  ['what an excluded entry needs stays', { excludes: [urn('b')] }, 'cwx', ''],
  ['and what hangs on it', { excludes: [urn('b')], excludeDependents: true }, 'x', ''],
  ['dependents of what it needs may go', { excludes: [urn('c')], excludeDependents: true }, 'wx', ''],
])('%s', (_title, wanted, covered, dragged) => {
  expect(limits(wanted)).toEqual([covered, dragged]);
});

test('a pending delete is needed where only it stands before what refers to it', () => {
  const rows: [readonly ResourceEntry[], readonly number[]][] = [
    [
      [entry('a', { delete: true }), entry('b', { dependencies: [urn('a')] })],
      [0, 1],
    ],
    [
      [entry('a'), entry('a', { delete: true }), entry('b', { dependencies: [urn('a')] })],
      [0, 2],
    ],
    [
      [entry('a', { delete: true }), entry('b', { dependencies: [urn('a')] }), entry('a')],
      [0, 1, 2],
    ],
  ];
  for (const [resources, expected] of rows) {
    const entries = priorEntries(new LiveState(resources).base);
    const root = entries.cells.filter((cell) => urnName(cell.entry.urn) === 'b');
    const kept = neededBy(entries, root);
    expect(entries.cells.flatMap((cell, index) => (kept.has(cell) ? [index] : []))).toEqual(expected);
  }
});
