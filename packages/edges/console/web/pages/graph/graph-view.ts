import type { Signal } from '@preact/signals';
import type { ResourceGraph } from '../../../src/model/graph.js';
import type { Glyph } from '../../../src/model/graph-glyphs.js';
import { CELL } from '../../../src/model/graph-layout.js';
import type { GraphLayout, GraphWindow } from '../../../src/model/graph-layout.js';

/** Part of a drawing that is seen: its scale, and where its left upper corner is. */
export interface Viewport {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** Everything that a drawing of a graph shows. */
export interface Picture {
  readonly graph: ResourceGraph;
  readonly layout: GraphLayout;
  readonly glyphOf: (at: number) => Glyph;
  readonly selected: number | undefined;
  /** Resources that stand out: the ends and steps of a path, or those that a search finds. All, if undefined. */
  readonly marked: ReadonlySet<number> | undefined;
  /** Connections of a path, as `FROM TO` of indices in the direction of the need. */
  readonly path: ReadonlySet<string>;
}

/** Properties of a drawing. */
export interface DrawingProps {
  readonly picture: Picture;
  readonly viewport: Signal<Viewport>;
  readonly size: { readonly width: number; readonly height: number };
}

const LEAST_SCALE = 0.02;
const LARGEST_SCALE = 2;

/** Returns the part of a drawing that is seen, in its units. */
export function windowOf({ scale, left, top }: Viewport, size: DrawingProps['size']): GraphWindow {
  return { left, top, right: left + size.width / scale, bottom: top + size.height / scale };
}

/** Scale from which on names can be read well. */
export const READ_SCALE = 0.7;

/** Returns the view of a whole drawing, or of its first waves if it were smaller than `least`. */
export function fittingView(
  { width, height }: GraphLayout,
  size: DrawingProps['size'],
  least = LEAST_SCALE,
): Viewport {
  const scale = Math.min(1, size.width / (width + 20), size.height / (height + 20));
  const kept = Math.max(least, scale);
  return {
    scale: kept,
    left: Math.min(-10, (width - size.width / kept) / 2),
    top: Math.min(-10, (height - size.height / kept) / 2),
  };
}

/** Returns the view after a change of the scale around a point of the window. */
export function zoomedView(view: Viewport, factor: number, x: number, y: number): Viewport {
  const scale = Math.min(LARGEST_SCALE, Math.max(LEAST_SCALE, view.scale * factor));
  return {
    scale,
    left: view.left + x / view.scale - x / scale,
    top: view.top + y / view.scale - y / scale,
  };
}

/** Returns the view in which a resource is seen and can be read, moved no more than that needs. */
export function viewWith(
  view: Viewport,
  { x, y }: GraphLayout,
  at: number,
  size: DrawingProps['size'],
): Viewport {
  const scale = Math.max(READ_SCALE, view.scale);
  const window = windowOf({ ...view, scale }, size);
  const [left, top] = [x[at] as number, y[at] as number];
  const isSeen =
    view.scale === scale &&
    left >= window.left &&
    left + CELL.width <= window.right &&
    top >= window.top &&
    top + CELL.height <= window.bottom;
  if (isSeen) return view;
  return {
    scale,
    left: left + CELL.width / 2 - size.width / scale / 2,
    top: top + CELL.height / 2 - size.height / scale / 2,
  };
}

/** Returns the curve of a connection as the text of a path. */
export function edgeCurve({ x, y }: GraphLayout, from: number, to: number): string {
  const [startX, startY] = [(x[from] as number) + CELL.width - 14, (y[from] as number) + CELL.height / 2];
  const [endX, endY] = [x[to] as number, (y[to] as number) + CELL.height / 2];
  const bend = Math.max(30, (endX - startX) / 2);
  return `M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`;
}

/** Returns the connections of resources that are placed, each once: what needs, and what it needs. */
export function edgesOf(
  { graph, layout }: Picture,
  nodes: readonly number[],
): readonly (readonly [from: number, to: number])[] {
  const shown = new Set(nodes);
  const isPlaced = (at: number): boolean => (layout.column[at] as number) >= 0;
  return nodes.flatMap((at) => [
    ...(graph.needs[at] ?? []).filter(isPlaced).map((to) => [at, to] as const),
    // A connection between two of the resources comes from the one that needs.
    ...(graph.neededBy[at] ?? [])
      .filter((from) => isPlaced(from) && !shown.has(from))
      .map((from) => [from, at] as const),
  ]);
}
