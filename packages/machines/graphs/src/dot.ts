import { visible } from '@cairn/diagnostics';
import { framesOf } from './graph.js';
import type { Graph, GraphEdge } from './graph.js';
import { EDGE_COLOURS, TONES } from './tones.js';

/** Choices of a graph in the language of Graphviz. */
export interface DotOptions {
  /** A colour as Graphviz has them. */
  readonly parentColor?: string | undefined;
  readonly dependencyColor?: string | undefined;
  /** Names instead of URNs. */
  readonly shortNames?: boolean | undefined;
  /** Put into the graph as it is, for attributes of one's own. */
  readonly fragment?: string | undefined;
  /** Nodes and edges alone, as Pulumi writes them: neither frames nor types nor colours. */
  readonly plain?: boolean | undefined;
}

/**
 * A graph in the language of Graphviz: a node a resource, a cluster a component, an edge from what is needed to what
 * needs it, labelled with the properties that do.
 */
export function dotText(graph: Graph, options: DotOptions = {}): string {
  const { parentColor = EDGE_COLOURS.parent, dependencyColor = EDGE_COLOURS.dependency } = options;
  const { shortNames = false, fragment = '', plain = false } = options;
  const frames = framesOf(graph);
  const nodes = graph.nodes.map(({ index, urn, name, type, mark }) => {
    const label = shortNames ? name : urn;
    if (plain) return `Resource${index} [label=${quoted(label)}];`;
    const { line, area } = TONES[mark?.tone ?? 'same'].light;
    const glyph = mark === undefined || mark.glyph === '' ? '' : `${mark.glyph} `;
    const text = shortNames ? `${glyph}${name}\n${type}` : `${glyph}${urn}`;
    const words = mark === undefined ? '' : `, tooltip=${quoted(mark.words)}`;
    return `Resource${index} [label=${quoted(text)}, color="${line}", fillcolor="${area}"${words}];`;
  });
  const drawn = plain ? plainEdges(graph) : graph.edges;
  const edges = drawn.map(({ from, to, kind, keys }) => {
    const colour = quoted(kind === 'parent' ? parentColor : dependencyColor);
    const label = keys.length === 0 ? '' : `, label=${quoted(keys.join(', '))}`;
    return `Resource${from} -> Resource${to} [color=${colour}${label}];`;
  });
  const lines = [
    ...(fragment === '' ? [] : [fragment]),
    ...(plain ? [] : ['rankdir=LR; node [shape=box, style="rounded,filled", fontname="sans-serif"];']),
    ...nodes,
    ...(plain ? [] : clusterLines(undefined)),
    ...edges,
  ];
  return `strict digraph {\n${lines.map((line) => `    ${line}\n`).join('')}}\n`;

  function clusterLines(frame: number | undefined): readonly string[] {
    return (frames.get(frame) ?? [])
      .filter((index) => frames.has(index))
      .flatMap((index) => [
        `subgraph cluster_${index} {`,
        `    label=${quoted(graph.nodes[index]?.name ?? '')};`,
        ...[index, ...(frames.get(index) ?? [])].map((inside) => `    Resource${inside};`),
        ...clusterLines(index).map((line) => `    ${line}`),
        '}',
      ]);
  }
}

/** Edges node by node, to the parent last; frames are edges as well. Nodes below another parent have theirs already. */
function plainEdges({ nodes, edges }: Graph): readonly GraphEdge[] {
  const children = new Set(edges.filter(({ kind }) => kind === 'parent').map(({ to }) => to));
  const frames = nodes.flatMap(({ index, frame }): readonly GraphEdge[] =>
    frame === undefined || children.has(index) ? [] : [{ from: frame, to: index, kind: 'parent', keys: [] }],
  );
  const isParent = ({ kind }: GraphEdge): number => (kind === 'parent' ? 1 : 0);
  return [...edges, ...frames].sort((a, b) => a.to - b.to || isParent(a) - isParent(b));
}

function quoted(text: string): string {
  const escaped = visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
