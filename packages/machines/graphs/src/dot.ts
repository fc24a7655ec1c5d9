import { visible } from '@cairn/diagnostics';
import { framesOf } from './graph.js';
import type { Graph, GraphEdge } from './graph.js';
import { EDGE_COLOURS, TONES } from './tones.js';

/** Options of a graph in the language of Graphviz. */
export interface DotOptions {
  /** Colour in the notation of Graphviz. */
  readonly parentColor?: string | undefined;
  readonly dependencyColor?: string | undefined;
  /** Labels nodes with names instead of URNs. */
  readonly shortNames?: boolean | undefined;
  /** Text put into the graph as it is, for attributes of the caller's own. */
  readonly fragment?: string | undefined;
  /** Only nodes and edges, as Pulumi writes them, without frames, types and colours. */
  readonly plain?: boolean | undefined;
}

/**
 * Writes a graph in the language of Graphviz. Each resource is a node, each component a cluster. An edge leads from the
 * needed resource to the dependent one, labelled with the properties that need it.
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

/**
 * Returns edges node by node, the one to the parent last. Frames are edges as well, unless the node has an edge to a
 * parent already.
 */
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
