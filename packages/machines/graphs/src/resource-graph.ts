import { ROOT_STACK_TYPE, isDefaultProvider, isUrn, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { eachReference } from '@cairn/state';
import type { Referring } from '@cairn/state';
import type { Graph, GraphEdge, GraphNode, Mark } from './graph.js';

/** Resource from which a graph is made. */
export interface GraphResource {
  readonly urn: string;
  /** Type as people read it. */
  readonly type: string;
  /** False for components, which frame their children. */
  readonly custom: boolean;
  readonly refers: Referring;
  readonly mark?: Mark | undefined;
}

/** Kinds of edges that a graph has. */
export interface EdgeChoice {
  /** Parents, as frames if they are components, otherwise as edges. */
  readonly parents: boolean;
  readonly dependencies: boolean;
}

/** Number of frames inside each other; deeper components are drawn as nodes beside their children. */
const DEEPEST = 8;

/**
 * Makes the graph of some resources. References to other resources are left out. So are references to providers, which
 * nearly all resources have. If several resources have one URN, references mean the last. O(resources + references).
 */
export function resourceGraph(
  resources: readonly GraphResource[],
  choice: EdgeChoice = { parents: true, dependencies: true },
): Graph {
  const indexes = new Map(resources.map(({ urn }, index) => [urn, index]));
  const parents = resources.map(({ refers }, index) => {
    const parent = choice.parents ? indexes.get(refers.parent ?? '') : undefined;
    return parent === index ? undefined : parent;
  });
  const frames = frameIndexes(resources, parents);
  const nodes = resources.map(({ urn, type, mark }, index): GraphNode => {
    const name = isUrn(urn) ? urnName(urn as Urn) : urn;
    return { index, urn, name, type, frame: frames[index], mark };
  });
  const edges = resources.flatMap(({ refers }, to) => {
    const parent = parents[to];
    const above: readonly GraphEdge[] =
      parent === undefined || parent === frames[to] ? [] : [{ from: parent, to, kind: 'parent', keys: [] }];
    return choice.dependencies ? [...dependencyEdges(refers, to, indexes), ...above] : above;
  });
  return { nodes, edges };
}

/**
 * True for resources that a drawing shows. The stack itself is the page around it, and default providers belong to the
 * engine.
 */
export function isDrawn({ urn, type }: Pick<GraphResource, 'urn' | 'type'>): boolean {
  return type !== ROOT_STACK_TYPE && !(isUrn(urn) && isDefaultProvider(urn as Urn));
}

function dependencyEdges(
  refers: Referring,
  to: number,
  indexes: ReadonlyMap<string, number>,
): readonly GraphEdge[] {
  const keys = new Map<number, string[]>();
  eachReference(refers, (urn, kind, key) => {
    if (kind !== 'dependency' && kind !== 'property-dependency') return;
    const from = indexes.get(urn);
    if (from === undefined || from === to) return;
    const known = keys.get(from) ?? [];
    if (kind === 'property-dependency' && key !== undefined) known.push(key);
    keys.set(from, known);
  });
  return [...keys].map(([from, names]) => ({ from, to, kind: 'dependency', keys: [...new Set(names)] }));
}

/**
 * Returns the frame of each resource: the nearest component above it that is not too deep. Resources in a circle of
 * parents have none.
 */
function frameIndexes(
  resources: readonly GraphResource[],
  parents: readonly (number | undefined)[],
): readonly (number | undefined)[] {
  const frames = new Array<number | undefined>(resources.length).fill(undefined);
  const depths = new Array<number>(resources.length).fill(UNVISITED);
  for (const start of resources.keys()) {
    const path = new Set<number>();
    let at: number | undefined = start;
    while (at !== undefined && depths[at] === UNVISITED && !path.has(at)) {
      path.add(at);
      at = parents[at];
    }
    // The walk has returned to itself: the parents from there on are a circle.
    if (at !== undefined && path.has(at)) depths[at] = 0;
    for (const index of [...path].toReversed()) {
      if (depths[index] !== UNVISITED) continue;
      const parent = parents[index];
      const above = parent === undefined ? 0 : (depths[parent] ?? 0);
      const opens = parent !== undefined && resources[parent]?.custom === false && above < DEEPEST;
      frames[index] = opens || parent === undefined ? parent : frames[parent];
      depths[index] = opens ? above + 1 : above;
    }
  }
  return frames;
}

/** Depth of a resource that the walk has not reached. */
const UNVISITED = -1;
