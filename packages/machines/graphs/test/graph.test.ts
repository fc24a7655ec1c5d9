import { foldGraph, isDrawn, layOut, resourceGraph } from '../src/index.js';
import type { EdgeChoice, Graph, GraphResource, Drawing } from '../src/index.js';
import { CREATE, SAME, manyResources, resource, urn } from './resources.js';

const edgesOf = ({ nodes, edges }: Graph): readonly string[] =>
  edges.map(
    ({ from, to, kind, keys }) =>
      `${nodes[from]?.name} ${kind === 'parent' ? '>>' : '->'} ${nodes[to]?.name}${keys.map((key) => ` ${key}`).join('')}`,
  );
const framesOf = ({ nodes }: Graph): readonly string[] =>
  nodes.flatMap(({ name, frame }) => (frame === undefined ? [] : [`${nodes[frame]?.name}(${name})`]));

describe('a graph has what resources refer to', () => {
  test.each<[string, readonly GraphResource[], readonly string[], readonly string[], EdgeChoice?]>([
    ['nothing', [], [], []],
    ['dependencies, once each', [resource('a'), resource('b', { needs: ['a', 'a'] })], ['a -> b'], []],
    [
      'not itself, and nothing that is not there',
      [resource('a', { needs: ['a', 'gone'], parent: 'a' })],
      [],
      [],
    ],
    [
      'a component around its children',
      [resource('c', { component: true }), resource('x', { parent: 'c' })],
      [],
      ['c(x)'],
    ],
    ['a parent that is no component', [resource('a'), resource('x', { parent: 'a' })], ['a >> x'], []],
    [
      'a child of a resource in a component',
      [resource('c', { component: true }), resource('a', { parent: 'c' }), resource('x', { parent: 'a' })],
      ['a >> x'],
      ['c(a)', 'c(x)'],
    ],
    [
      'parents in a circle, as a damaged state may have',
      [
        resource('a', { component: true, parent: 'b' }),
        resource('b', { component: true, parent: 'a' }),
        resource('x', { parent: 'a' }),
      ],
      ['b >> a'],
      ['a(b)', 'a(x)'],
    ],
    [
      'no parents where they are not wanted',
      [resource('c', { component: true }), resource('x', { parent: 'c', needs: ['c'] })],
      ['c -> x'],
      [],
      { parents: false, dependencies: true },
    ],
    [
      'no dependencies where they are not wanted',
      [resource('a'), resource('x', { parent: 'a', needs: ['a'] })],
      ['a >> x'],
      [],
      { parents: true, dependencies: false },
    ],
  ])('%s', (...[, resources, edges, frames, choice]) => {
    const graph = resourceGraph(resources, choice);
    expect(edgesOf(graph)).toEqual(edges);
    expect(framesOf(graph)).toEqual(frames);
  });

  test('properties name their dependency', () => {
    const refers = { propertyDependencies: { vpcId: [urn('a')], zone: [urn('a')], none: null } };
    const graph = resourceGraph([resource('a'), { ...resource('x'), refers }]);
    expect(edgesOf(graph)).toEqual(['a -> x vpcId zone']);
  });

  test('frames go eight deep, and what is deeper is in the last one', () => {
    const chain = Array.from({ length: 12 }, (_, depth) =>
      resource(`c${depth}`, { component: true, ...(depth > 0 && { parent: `c${depth - 1}` }) }),
    );
    const graph = resourceGraph(chain);
    expect(graph.nodes.map(({ frame }) => frame)).toEqual([undefined, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7]);
    expect(edgesOf(graph)).toEqual(['c8 >> c9', 'c9 >> c10', 'c10 >> c11']);
  });

  test('the stack itself and default providers are not drawn', () => {
    const types = ['pulumi:pulumi:Stack', 'pulumi:providers:aws', 'pulumi:providers:aws', 'aws:s3:Bucket'];
    const names = ['shop-dev', 'default_1_0_0', 'mine', 'b'];
    const drawn = names
      .map((name, index) => resource(name, { type: types[index] as string }))
      .filter(isDrawn);
    expect(drawn.map((each) => each.urn.split('::').at(-1))).toEqual(['mine', 'b']);
  });
});

const texts = ({ boxes, edges }: Drawing): readonly string[] => [
  ...boxes.map(({ name, type, folded, open }) => `${name} ${type} ${open ? 'open' : folded}`),
  ...edges.map(({ from, to, count }) => `${from}->${to} ×${count}`),
];

describe('a graph that is too large for one drawing is folded', () => {
  const frame = [
    resource('c', { component: true }),
    resource('x', { parent: 'c' }),
    resource('y', { parent: 'c', needs: ['x'], mark: CREATE }),
    resource('z', { needs: ['x', 'y'] }),
  ];
  test.each<[string, readonly GraphResource[], number, readonly (readonly string[])[]]>([
    [
      'not where there is room',
      frame,
      4,
      [['c a:b:C open', 'z a:b:C 0', 'x a:b:C 0', 'y a:b:C 0', '2->3 ×1', '2->1 ×1', '3->1 ×1']],
    ],
    [
      'frames first',
      frame,
      3,
      [
        ['c a:b:C 2', 'z a:b:C 0', '0->1 ×2'],
        ['x a:b:C 0', 'y a:b:C 0', '0->1 ×1'],
      ],
    ],
    [
      'then resources of one type and one fate',
      ['a', 'b', 'd']
        .map((name) => resource(name, { mark: SAME }))
        .concat(resource('n', { mark: CREATE, needs: ['a'] })),
      3,
      [
        ['n a:b:C 0', 'a … d a:b:C 3', '1->0 ×1'],
        ['a a:b:C 0', 'b a:b:C 0', 'd a:b:C 0'],
      ],
    ],
    [
      'those that follow each other where all are alike',
      ['a', 'b', 'd', 'e', 'f'].map((name) => resource(name)),
      3,
      [
        ['a … d a:b:C 3', 'e … f a:b:C 2'],
        ['a a:b:C 0', 'b a:b:C 0', 'd a:b:C 0'],
        ['e a:b:C 0', 'f a:b:C 0'],
      ],
    ],
  ])('%s', (_, resources, most, drawings) => {
    expect(foldGraph(resourceGraph(resources), most).map(texts)).toEqual(drawings);
  });

  test.each([1, 2, 299, 300, 301, 5000])(
    'every one of %d resources is on one drawing, of 300 boxes at most',
    (count) => {
      const graph = resourceGraph(manyResources(count));
      const drawings = foldGraph(graph);
      const shown = drawings.flatMap(({ boxes }) =>
        boxes.flatMap(({ node }) => (node === undefined ? [] : [node])),
      );
      expect(shown.toSorted((a, b) => a - b)).toEqual(graph.nodes.map(({ index }) => index));
      expect(drawings.every(({ boxes }) => boxes.length <= 300)).toBe(true);
    },
  );
});

describe('a layout', () => {
  const layout = (resources: readonly GraphResource[]) =>
    layOut(foldGraph(resourceGraph(resources))[0] as Drawing);
  const orderOf = (resources: readonly GraphResource[], by: 'x' | 'y'): string =>
    layout(resources)
      .boxes.toSorted((a, b) => a[by] - b[by])
      .map(({ box }) => box.name)
      .join(' ');

  test.each<[string, readonly GraphResource[], 'x' | 'y', string]>([
    [
      'has what is needed on the left',
      [resource('c', { needs: ['b'] }), resource('b', { needs: ['a'] }), resource('a')],
      'x',
      'a b c',
    ],
    [
      'has what is needed late close to who needs it',
      [
        resource('a'),
        resource('b', { needs: ['a'] }),
        resource('late'),
        resource('c', { needs: ['b', 'late'] }),
      ],
      'x',
      'a b late c',
    ],
    [
      'has what has no arrows below',
      [resource('alone'), resource('a'), resource('b', { needs: ['a'] })],
      'y',
      'a b alone',
    ],
    [
      'puts the ends of arrows side by side',
      [resource('p'), resource('q'), resource('x', { needs: ['q'] }), resource('y', { needs: ['p'] })],
      'y',
      'p y q x',
    ],
    [
      'takes a circle from its first',
      [resource('a', { needs: ['b'] }), resource('b', { needs: ['a'] })],
      'x',
      'a b',
    ],
  ])('%s', (_, resources, by, order) => {
    expect(orderOf(resources, by)).toBe(order);
  });

  test('no two boxes overlap, and frames are around what is inside', () => {
    const { boxes, width, height } = layout(manyResources(300));
    const placed = new Map(boxes.map((each) => [each.box.id, each]));
    const faults = boxes.flatMap((one) => {
      const around = placed.get(one.box.inside ?? -1) ?? { x: 0, y: 0, width, height };
      const beside = boxes.filter((other) => other !== one && other.box.inside === one.box.inside);
      const isInside =
        one.x >= around.x &&
        one.y >= around.y &&
        one.x + one.width <= around.x + around.width &&
        one.y + one.height <= around.y + around.height;
      const overlaps = beside.some(
        (other) =>
          one.x + one.width > other.x &&
          other.x + other.width > one.x &&
          one.y + one.height > other.y &&
          other.y + other.height > one.y,
      );
      return isInside && !overlaps ? [] : [one.box.name];
    });
    expect(faults).toEqual([]);
  });

  test('300 resources take a drawing of a shape that fits screens', () => {
    const { width, height } = layout(manyResources(300));
    expect(width / height).toBeGreaterThan(0.6);
    expect(width / height).toBeLessThan(6);
  });
});
