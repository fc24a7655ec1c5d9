import type { Urn } from '@cairn/addresses';
import type { ConsoleResourceRow } from '@cairn/http-api';
import { deleteWaves } from '@cairn/state/waves';
import { nameOfResource } from './resource-tree.js';

/** Connections that a graph shows. */
export type GraphEdges = 'both' | 'needs' | 'parents';

/** Resource of a graph. */
export interface DrawnResource {
  readonly row: ConsoleResourceRow;
  readonly name: string;
  readonly type: string;
}

/** Resources and their connections, by the index of the resource. */
export interface ResourceGraph {
  readonly nodes: readonly DrawnResource[];
  /** Resources that a resource needs: its dependencies, its parent, or both. */
  readonly needs: readonly (readonly number[])[];
  readonly neededBy: readonly (readonly number[])[];
}

/** Returns the graph of the resources of a page. References to resources that are not there are left out. */
export function graphOfRows(rows: readonly ConsoleResourceRow[], edges: GraphEdges): ResourceGraph {
  const places = placesOf(rows);
  const needs = rows.map((row, index) => {
    const urns = [
      ...(edges === 'parents' ? [] : (row.needs ?? [])),
      ...(edges === 'needs' || row.parent === undefined ? [] : [row.parent]),
    ];
    const found = urns.map((urn) => places.get(urn));
    return [...new Set(found.filter((at): at is number => at !== undefined && at !== index))];
  });
  const neededBy: number[][] = rows.map(() => []);
  for (const [index, those] of needs.entries()) for (const at of those) neededBy[at]?.push(index);
  return { nodes: rows.map((row) => ({ row, ...nameOfResource(row.urn) })), needs, neededBy };
}

/** Returns the index of each URN. An object that waits for its deletion is not the one that others refer to. */
function placesOf(rows: readonly ConsoleResourceRow[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, { urn, delete: isOld }] of rows.entries())
    if (isOld !== true || !places.has(urn)) places.set(urn, index);
  return places;
}

/** Returns the resources at most `depth` connections away from one, in both directions, with itself. */
export function neighbours(graph: ResourceGraph, start: number, depth: number): ReadonlySet<number> {
  const found = new Set([start]);
  let edge = [start];
  for (let step = 0; step < depth && edge.length > 0; step += 1) {
    const next: number[] = [];
    for (const at of edge)
      for (const other of connected(graph, at))
        if (!found.has(other)) {
          found.add(other);
          next.push(other);
        }
    edge = next;
  }
  return found;
}

function connected(graph: ResourceGraph, at: number): readonly number[] {
  return [...(graph.needs[at] ?? []), ...(graph.neededBy[at] ?? [])];
}

/**
 * Returns a shortest path between two resources with both ends: along what is needed, else along what needs it, else in
 * any direction. Empty if they are not connected.
 */
export function pathBetween(graph: ResourceGraph, from: number, to: number): readonly number[] {
  const ways = [
    (at: number) => graph.needs[at] ?? [],
    (at: number) => graph.neededBy[at] ?? [],
    (at: number) => connected(graph, at),
  ];
  for (const next of ways) {
    const path = shortestPath(from, to, next);
    if (path.length > 0) return path;
  }
  return [];
}

function shortestPath(from: number, to: number, next: (at: number) => readonly number[]): readonly number[] {
  const cameFrom = new Map([[from, from]]);
  const waiting = [from];
  for (let read = 0; read < waiting.length && !cameFrom.has(to); read += 1) {
    const at = waiting[read] as number;
    for (const other of next(at))
      if (!cameFrom.has(other)) {
        cameFrom.set(other, at);
        waiting.push(other);
      }
  }
  if (!cameFrom.has(to)) return [];
  const path = [to];
  for (let at = to; at !== from; path.unshift(at)) at = cameFrom.get(at) as number;
  return path;
}

/**
 * Returns the shown resources in the waves in which a destroy would delete them, with every connection of the graph:
 * what needs others comes before them. A parent after its child, as in a damaged state, gives no order.
 */
export function graphWaves(
  { nodes, needs }: ResourceGraph,
  shown: ReadonlySet<number> | undefined,
): readonly (readonly number[])[] {
  const first = new Map<string, number>();
  for (const [index, { row }] of nodes.entries()) if (!first.has(row.urn)) first.set(row.urn, index);
  const entries = nodes.map(({ row }, index) => {
    const dependencies: Urn[] = [];
    let parent: Urn | undefined;
    for (const at of needs[index] as readonly number[]) {
      const urn = nodes[at]?.row.urn as Urn;
      if (urn !== row.parent) dependencies.push(urn);
      else if ((first.get(urn) as number) < (first.get(row.urn) as number)) parent = urn;
    }
    return { index, urn: row.urn as Urn, custom: row.custom, dependencies, parent };
  });
  return deleteWaves(
    entries,
    (entry) => entry,
    ({ index }) => shown === undefined || shown.has(index),
  ).map((wave) => wave.map(({ index }) => index));
}
