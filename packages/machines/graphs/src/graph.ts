/** Colour of a change to a resource; its words and glyph say the same. */
export type Tone = 'same' | 'create' | 'update' | 'replace' | 'delete' | 'read' | 'failed';

/** Change to a resource. */
export interface Mark {
  readonly tone: Tone;
  /** Sign in front of the name, as on the terminal: `+`, `~`, `-`. May be empty. */
  readonly glyph: string;
  readonly words: string;
}

/** A resource of a graph. */
export interface GraphNode {
  /** Index in the list of nodes. */
  readonly index: number;
  readonly urn: string;
  readonly name: string;
  /** Type as people read it. */
  readonly type: string;
  /** Index of the component in whose frame it is drawn, if any. */
  readonly frame: number | undefined;
  readonly mark: Mark | undefined;
}

/** An arrow from a needed resource to the dependent one, or from a parent to its child. */
export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  readonly kind: 'dependency' | 'parent';
  /** Properties whose values come from `from`. */
  readonly keys: readonly string[];
}

/** Resources with their dependencies. Edges name nodes by index. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/**
 * Returns the indexes of the nodes inside each frame, by the index of its component. The key `undefined` has those in
 * no frame.
 */
export function framesOf(graph: Graph): ReadonlyMap<number | undefined, readonly number[]> {
  const frames = new Map<number | undefined, number[]>([[undefined, []]]);
  for (const { index, frame } of graph.nodes) {
    const inside = frames.get(frame);
    if (inside === undefined) frames.set(frame, [index]);
    else inside.push(index);
  }
  return frames;
}
