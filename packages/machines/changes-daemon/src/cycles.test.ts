import { findCycle } from './cycles.js';
import type { DependencyNode } from './cycles.js';

const GRAPHS: readonly (readonly [string, string, string, string | undefined])[] = [
  ['CH-046 cycle check: 1 task(s), 0 edge(s), acyclic', 'n1', '', undefined],
  ['CH-047 cycle check: 0 task(s), 0 edge(s), acyclic', '', '', undefined],
  ['CH-048 cycle check: 3 task(s), 0 edge(s), acyclic', 'n1 n2 n3', '', undefined],
  ['CH-049 cycle check: 4 task(s), 1 edge(s), acyclic', 'n1 n2 n3 n4', 'n2>n3', undefined],
  [
    'CH-050 cycle check: 4 task(s), 6 edge(s), acyclic',
    'n1 n2 n3 n4',
    'n1>n2 n1>n3 n2>n3 n1>n4 n2>n4 n3>n4',
    undefined,
  ],
  [
    'CH-052 cycle check: 8 task(s), 6 edge(s), acyclic',
    'n1 n2 n3 n4 n5 n6 n7 n8',
    'n1>n2 n2>n3 n3>n4 n5>n6 n6>n7 n7>n8',
    undefined,
  ],
  [
    'CH-053 cycle check: 8 task(s), 8 edge(s), acyclic',
    'n1 n2 n3 n4 n5 n6 n7 n8',
    'n1>n2 n2>n3 n2>n5 n3>n4 n5>n6 n4>n7 n6>n7 n7>n8',
    undefined,
  ],
  [
    'CH-054 cycle check: 8 task(s), 4 edge(s), acyclic',
    'n1 n2 n3 n4 n5 n6 n7 n8',
    'n1>n2 n3>n4 n5>n6 n7>n8',
    undefined,
  ],
  [
    'CH-055 cycle check: 8 task(s), 7 edge(s), acyclic',
    'n1 n2 n3 n4 n5 n6 n7 n8',
    'n1>n2 n2>n3 n3>n4 n4>n5 n4>n7 n5>n6 n7>n8',
    undefined,
  ],
  [
    'CH-056 cycle check: 8 task(s), 8 edge(s), cyclic',
    'n1 n2 n3 n4 n5 n6 n7 n8',
    'n1>n2 n2>n3 n3>n4 n4>n5 n4>n7 n5>n6 n7>n8 n6>n3',
    'dependency cycle involving tasks [3:n3 4:n4 5:n5 6:n6 7:n7 8:n8]',
  ],
  [
    'CH-057 cycle check: 8 task(s), 8 edge(s), cyclic',
    'n1 n2 n3 n4 n5 n6 n7 n8',
    'n1>n2 n2>n3 n3>n4 n4>n6 n5>n6 n6>n7 n7>n8 n8>n2',
    'dependency cycle involving tasks [2:n2 3:n3 4:n4 6:n6 7:n7 8:n8]',
  ],
];

type Node = DependencyNode & { readonly waits: Node[]; readonly halts: Node[] };

/** Makes nodes with ids from 1 from `a b` and `a>b` (b waits for a). */
function nodes(tasks: string, edges: string): readonly Node[] {
  const words = (text: string) => text.split(' ').filter((word) => word !== '');
  const made = words(tasks).map((kind, index): Node => ({
    id: String(index + 1),
    kind,
    waits: [],
    halts: [],
  }));
  for (const edge of words(edges)) {
    const [from, to] = edge.split('>').map((name) => made.find(({ kind }) => kind === name) as Node);
    from?.halts.push(to as Node);
    to?.waits.push(from as Node);
  }
  return made;
}

test.each(GRAPHS)('%s', (_title, tasks, edges, message) => {
  expect(findCycle(nodes(tasks, edges))?.message).toBe(message);
});

test('ids are sorted as strings', () => {
  const names = Array.from({ length: 10 }, (_none, at) => `n${at + 1}`);
  const loop = names.map((name, at) => `${name}>${names[(at + 1) % 10]}`);
  expect(findCycle(nodes(names.join(' '), loop.join(' ')))?.ids).toEqual([
    '1',
    '10',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
  ]);
});
