import { framesOf } from './graph.js';
import type { Graph, GraphNode, Mark, Tone } from './graph.js';

/** Box of a drawing: a resource, an open frame, or several resources in one. */
export interface GraphBox {
  readonly id: number;
  /** Id of the open frame around it, if any. */
  readonly inside: number | undefined;
  /** The resource, or the component of a frame; `undefined` for a group of resources of one type. */
  readonly node: number | undefined;
  /** True for an open frame, which contains other boxes. */
  readonly open: boolean;
  /** Number of resources that it represents besides its own; 0 for a single resource and an open frame. */
  readonly folded: number;
  /** Number of the drawing that shows the folded resources, if any. */
  readonly drawing: number | undefined;
  readonly name: string;
  readonly type: string;
  readonly mark: Mark | undefined;
  /** Changes to the folded resources, counted by tone. */
  readonly tones: ReadonlyMap<Tone, number>;
}

/** An arrow between two boxes of a drawing. `count` is the number of arrows of the graph that it represents. */
export interface BoxEdge {
  readonly from: number;
  readonly to: number;
  readonly kind: 'dependency' | 'parent';
  readonly keys: readonly string[];
  readonly count: number;
}

/** One drawing: the whole graph, or the contents of a folded box of another one. */
export interface Drawing {
  readonly number: number;
  /** Name of its subject; empty for the whole graph. */
  readonly title: string;
  readonly boxes: readonly GraphBox[];
  readonly edges: readonly BoxEdge[];
}

/** Number of boxes that a person can read in one drawing. */
const MOST_BOXES = 300;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A drawing under construction. */
interface Draft {
  readonly number: number;
  readonly title: string;
  readonly boxes: Mutable<GraphBox>[];
  readonly edges: Map<string, Mutable<BoxEdge>>;
  /** Drawing and box whose inside it shows. */
  readonly above: Place | undefined;
}

interface Place {
  readonly drawing: Draft;
  readonly box: number;
}

/** Nodes that a drawing is to show, of a frame or a group. */
interface Contents {
  readonly title: string;
  readonly nodes: readonly number[];
  readonly above: Place | undefined;
}

/**
 * Splits a graph into drawings of at most `most` boxes. If all fit, there is one drawing with every frame open.
 * Otherwise frames are folded from the inside, and resources of one type with the same change become one box. Each
 * folded box has a drawing of its own. O(resources + arrows), except for the order of groups.
 */
export function foldGraph(graph: Graph, most: number = MOST_BOXES): readonly Drawing[] {
  const frames = framesOf(graph);
  const inside = countsInside(graph, frames);
  const places = new Map<number, Place>();
  const waiting: Contents[] = [{ title: '', nodes: childrenOf(undefined), above: undefined }];
  const drafts: Draft[] = [];
  for (const { title, nodes, above } of waiting) {
    const drawing: Draft = { number: drafts.length, title, boxes: [], edges: new Map(), above };
    drafts.push(drawing);
    if (above !== undefined) boxOf(above).drawing = drawing.number;
    fillDrawing(drawing, nodes);
  }
  for (const edge of graph.edges) liftEdge(edge, places);
  return drafts.map(({ number, title, boxes, edges }) => ({
    number,
    title,
    boxes,
    edges: [...edges.values()],
  }));

  function nodeOf(index: number): GraphNode {
    return graph.nodes[index] as GraphNode;
  }

  function childrenOf(frame: number | undefined): readonly number[] {
    return frames.get(frame) ?? [];
  }

  /** Puts the nodes on the drawing. Opens frames while there is room, the outermost first, and folds the others. */
  function fillDrawing(drawing: Draft, nodes: readonly number[]): void {
    const groups = groupsOf(nodes);
    const grouped = new Set(groups.flat());
    const closed = nodes
      .filter((node) => !grouped.has(node))
      .map((node) => ({ node, box: addNode(drawing, node, undefined) }));
    for (const group of groups) addGroup(drawing, group);
    for (const { node, box } of closed) {
      const children = childrenOf(node);
      if (children.length === 0) continue;
      if (drawing.boxes.length + children.length > most) {
        foldFrame(drawing, box, node, children);
        continue;
      }
      box.open = true;
      for (const child of children) closed.push({ node: child, box: addNode(drawing, child, box.id) });
    }
  }

  function addNode(drawing: Draft, node: number, within: number | undefined): Mutable<GraphBox> {
    const { name, type, mark } = nodeOf(node);
    const box: Mutable<GraphBox> = {
      id: drawing.boxes.length,
      inside: within,
      node,
      open: false,
      folded: 0,
      drawing: undefined,
      name,
      type,
      mark,
      tones: NO_TONES,
    };
    drawing.boxes.push(box);
    places.set(node, { drawing, box: box.id });
    return box;
  }

  function foldFrame(
    drawing: Draft,
    box: Mutable<GraphBox>,
    node: number,
    children: readonly number[],
  ): void {
    Object.assign(box, { folded: inside[node], tones: tonesOf(children) });
    waiting.push({ title: box.name, nodes: children, above: { drawing, box: box.id } });
  }

  function addGroup(drawing: Draft, group: readonly number[]): void {
    const [first, ...others] = group.map(nodeOf) as [GraphNode, ...GraphNode[]];
    const isMixed = others.some((other) => kindOf(other) !== kindOf(first));
    const name = others.length === 0 ? first.name : `${first.name} … ${others.at(-1)?.name}`;
    const type = isMixed ? '' : first.type;
    drawing.boxes.push({
      id: drawing.boxes.length,
      inside: undefined,
      node: undefined,
      open: false,
      folded: group.reduce((sum, node) => sum + 1 + (inside[node] ?? 0), 0),
      drawing: undefined,
      name,
      type,
      mark: isMixed ? undefined : first.mark,
      tones: tonesOf(group),
    });
    const above = { drawing, box: drawing.boxes.length - 1 };
    waiting.push({ title: type === '' ? name : `${type}: ${name}`, nodes: group, above });
  }

  function tonesOf(nodes: readonly number[]): ReadonlyMap<Tone, number> {
    const tones = new Map<Tone, number>();
    eachWithin(nodes, (index) => {
      const { mark } = nodeOf(index);
      if (mark !== undefined) tones.set(mark.tone, (tones.get(mark.tone) ?? 0) + 1);
    });
    return tones;
  }

  /** Visits the nodes and everything inside them. */
  function eachWithin(nodes: readonly number[], visit: (index: number) => void): void {
    const order = [...nodes];
    for (const index of order) {
      visit(index);
      for (const child of childrenOf(index)) order.push(child);
    }
  }

  /**
   * Groups the nodes for which there is no room: the largest group of one type and one change first, until all fit. If
   * all are alike, or hardly any two are, it groups nodes that follow each other.
   */
  function groupsOf(nodes: readonly number[]): readonly (readonly number[])[] {
    if (nodes.length <= most) return [];
    const kinds = new Map<string, number[]>();
    for (const node of nodes) {
      const key = kindOf(nodeOf(node));
      const known = kinds.get(key);
      if (known === undefined) kinds.set(key, [node]);
      else known.push(node);
    }
    if (kinds.size === 1 || kinds.size > most)
      return partsOf(nodes, Math.max(most, Math.ceil(nodes.length / most)));
    const chosen: (readonly number[])[] = [];
    let shown = nodes.length;
    for (const group of [...kinds.values()].sort((a, b) => b.length - a.length)) {
      if (shown <= most) break;
      chosen.push(group);
      shown -= group.length - 1;
    }
    return chosen;
  }
}

function partsOf(nodes: readonly number[], size: number): readonly (readonly number[])[] {
  const count = Math.ceil(nodes.length / size);
  return Array.from({ length: count }, (_, index) => nodes.slice(index * size, (index + 1) * size));
}

const kindOf = ({ type, mark }: GraphNode): string => `${mark?.tone ?? ''} ${type}`;

const NO_TONES: ReadonlyMap<Tone, number> = new Map();

function boxOf({ drawing, box }: Place): Mutable<GraphBox> {
  return drawing.boxes[box] as Mutable<GraphBox>;
}

/** Counts the resources inside each node, at any depth. */
function countsInside(
  graph: Graph,
  frames: ReadonlyMap<number | undefined, readonly number[]>,
): readonly number[] {
  const counts = new Array<number>(graph.nodes.length).fill(0);
  const order = [...(frames.get(undefined) ?? [])];
  for (const index of order) for (const child of frames.get(index) ?? []) order.push(child);
  for (const index of order.toReversed()) {
    const frame = graph.nodes[index]?.frame;
    if (frame !== undefined) counts[frame] = (counts[frame] ?? 0) + 1 + (counts[index] ?? 0);
  }
  return counts;
}

/**
 * Draws an arrow on the drawing where its ends are in different boxes. An arrow into its own frame becomes the frame.
 */
function liftEdge(
  { from, to, kind, keys }: Graph['edges'][number],
  places: ReadonlyMap<number, Place>,
): void {
  const start = places.get(from);
  const end = places.get(to);
  if (start === undefined || end === undefined) return;
  const above = new Map<Draft, number>();
  for (let at: Place | undefined = start; at !== undefined; at = at.drawing.above)
    above.set(at.drawing, at.box);
  let at: Place | undefined = end;
  while (at !== undefined && !above.has(at.drawing)) at = at.drawing.above;
  if (at === undefined) return;
  const { drawing, box } = at;
  const other = above.get(drawing) as number;
  if (other === box || isAround(drawing.boxes, other, box) || isAround(drawing.boxes, box, other)) return;
  const key = `${other} ${box} ${kind}`;
  const known = drawing.edges.get(key);
  if (known === undefined) {
    drawing.edges.set(key, { from: other, to: box, kind, keys, count: 1 });
    return;
  }
  known.count += 1;
  known.keys = [...new Set([...known.keys, ...keys])].slice(0, MOST_KEYS);
}

/** Number of properties that one arrow names at most. */
const MOST_KEYS = 8;

function isAround(boxes: readonly GraphBox[], frame: number, box: number): boolean {
  for (let at = boxes[box]?.inside; at !== undefined; at = boxes[at]?.inside) if (at === frame) return true;
  return false;
}
