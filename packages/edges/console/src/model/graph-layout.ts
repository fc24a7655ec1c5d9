import { graphWaves } from './graph.js';
import type { ResourceGraph } from './graph.js';

/** Width and height of the place of one resource, in units of a drawing. */
export const CELL = { width: 210, height: 34 } as const;
/** Space between two waves. */
const GAP = 70;
/** Fewest rows after which a wave continues in a further column. */
const LEAST_ROWS = 24;
/** Rows for each column of a drawing of many resources, so that it is about as high as it is wide. */
const SHAPE = 2.4;

/** Column of a drawing: resources of one wave, from top to bottom. */
interface GraphColumn {
  readonly x: number;
  readonly members: readonly number[];
}

/** Places of resources, in units of a drawing, by the index of the resource. Those that are not shown have none. */
export interface GraphLayout {
  readonly columns: readonly GraphColumn[];
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Column of each resource, or -1. */
  readonly column: Int32Array;
  readonly width: number;
  readonly height: number;
  readonly count: number;
}

/** Part of a drawing, in its units. */
export interface GraphWindow {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Places resources in columns, one or more for each wave. Inside a wave, a resource is as high as the middle of what
 * needs it, so that connections cross less. The time grows with the number of resources and connections.
 */
export function layoutGraph(graph: ResourceGraph, shown: ReadonlySet<number> | undefined): GraphLayout {
  const { length } = graph.nodes;
  const waves = graphWaves(graph, shown);
  const count = waves.reduce((sum, wave) => sum + wave.length, 0);
  const most = Math.max(LEAST_ROWS, Math.ceil(Math.sqrt(count * SHAPE)));
  const [x, y, column] = [
    new Float32Array(length),
    new Float32Array(length),
    new Int32Array(length).fill(-1),
  ];
  const columns: GraphColumn[] = [];
  let [left, highest] = [0, 0];
  for (const wave of waves) {
    const ordered = inOrder(graph, wave, y, column);
    const parts = Math.ceil(ordered.length / most);
    const rows = Math.ceil(ordered.length / parts);
    highest = Math.max(highest, rows);
    for (let part = 0; part < parts; part += 1) {
      const members = ordered.slice(part * rows, (part + 1) * rows);
      for (const [row, at] of members.entries()) {
        x[at] = left;
        y[at] = (row - rows / 2) * CELL.height;
        column[at] = columns.length;
      }
      columns.push({ x: left, members });
      left += CELL.width;
    }
    left += GAP;
  }
  const height = highest * CELL.height;
  for (const { members } of columns) for (const at of members) y[at] = (y[at] as number) + height / 2;
  return { ...{ columns, x, y, column, count, height }, width: Math.max(0, left - GAP) };
}

/**
 * Orders a wave by the middle of the places of what needs each of its resources, or as the state has them. Leaves the
 * middles in `y`.
 */
function inOrder(
  { neededBy }: ResourceGraph,
  wave: readonly number[],
  y: Float32Array,
  column: Int32Array,
): readonly number[] {
  for (const at of wave) {
    let [sum, placed] = [0, 0];
    for (const other of neededBy[at] as readonly number[])
      if ((column[other] as number) >= 0) {
        sum += y[other] as number;
        placed += 1;
      }
    y[at] = placed === 0 ? 0 : sum / placed;
  }
  return [...wave].sort((a, b) => (y[a] as number) - (y[b] as number));
}

/** Returns the resources that a window shows a part of. The work is that of the columns and of what is seen. */
export function seenNodes({ columns, y }: GraphLayout, window: GraphWindow): readonly number[] {
  const seen: number[] = [];
  for (const { x, members } of columns) {
    if (x > window.right || x + CELL.width < window.left) continue;
    const top = y[members[0] as number] as number;
    const from = Math.max(0, Math.floor((window.top - top) / CELL.height));
    const to = Math.min(members.length, Math.ceil((window.bottom - top) / CELL.height) + 1);
    for (let row = from; row < to; row += 1) seen.push(members[row] as number);
  }
  return seen;
}

/** Returns the resource at a point of a drawing, or undefined. */
export function nodeAt(layout: GraphLayout, x: number, y: number): number | undefined {
  return seenNodes(layout, { left: x, right: x, top: y, bottom: y }).find((at) => {
    const [left, top] = [layout.x[at] as number, layout.y[at] as number];
    return x >= left && x < left + CELL.width && y >= top && y < top + CELL.height;
  });
}

/** Place in a walk by keys. `choices` are the resources that the last connection led to. */
interface GraphWalk {
  readonly at: number;
  readonly choices: readonly number[];
}

/**
 * Returns the next place of a walk. Right follows a connection to what a resource needs, and left to what needs it. Up
 * and down choose another end of the same connection, or the resource above or below.
 */
export function walkGraph(
  graph: ResourceGraph,
  layout: GraphLayout,
  { at, choices }: GraphWalk,
  key: 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown',
): GraphWalk {
  if (key === 'ArrowRight' || key === 'ArrowLeft') {
    const ends = (key === 'ArrowRight' ? graph.needs : graph.neededBy)[at] ?? [];
    const placed = ends.filter((end) => (layout.column[end] as number) >= 0);
    return placed.length === 0 ? { at, choices } : { at: placed[0] as number, choices: placed };
  }
  const step = key === 'ArrowDown' ? 1 : -1;
  if (choices.length > 1 && choices.includes(at)) {
    const index = (choices.indexOf(at) + step + choices.length) % choices.length;
    return { at: choices[index] as number, choices };
  }
  const members = layout.columns[layout.column[at] as number]?.members ?? [];
  return { at: members[members.indexOf(at) + step] ?? at, choices: [] };
}
