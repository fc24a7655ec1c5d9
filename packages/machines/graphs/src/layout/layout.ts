import type { GraphBox, BoxEdge, Drawing } from '../fold.js';
import { layersOf, orderLayers } from './layers.js';
import type { Arrow } from './layers.js';
import { cutText, textWidth } from './text-size.js';

/** A box with its place, in pixels from the upper left corner of the drawing. */
export interface PlacedBox {
  readonly box: GraphBox;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Texts, cut to fit the box. */
  readonly name: string;
  readonly type: string;
}

/** A drawing; frames come before their contents. */
interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  readonly edges: readonly BoxEdge[];
}

/** Measures of the drawing, in pixels. */
export const MEASURES = {
  nameSize: 13,
  typeSize: 11,
  boxHeight: 42,
  /** Height of the title of a frame. */
  frameHead: 30,
  padding: 14,
  margin: 16,
} as const;

const NARROWEST = 96;
const WIDEST = 250;
const ROW_GAP = 10;
const COLUMN_GAP = 14;
/** Gap between layers, where arrows run. */
const LAYER_GAP = 64;
/** Width up to which a row of layers is never broken. */
const NARROWEST_ROW = 1200;
/** Factor by which the gaps between layers may widen a row. */
const ROW_SPREAD = 2.5;
/** Preferred ratio of width to height of a drawing. */
const SHAPE = 1.7;

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Offset {
  readonly x: number;
  readonly y: number;
}

/** Boxes side by side, with the offset of each. */
interface Arrangement extends Size {
  readonly offsets: ReadonlyMap<number, Offset>;
}

/**
 * Places the boxes of a drawing: needed boxes on the left, dependent ones on the right, boxes without arrows below.
 * Frames surround their contents. O(boxes + arrows), except for sorting boxes within layers.
 */
export function layOut(drawing: Drawing): Layout {
  const { boxes } = drawing;
  const inside = new Map<number | undefined, number[]>();
  for (const { id, inside: frame } of boxes) {
    const known = inside.get(frame);
    if (known === undefined) inside.set(frame, [id]);
    else known.push(id);
  }
  const arrows = arrowsByFrame(drawing);
  const sizes = new Map<number, Size>();
  const arranged = new Map<number | undefined, Arrangement>();
  // A box inside a frame has a higher id than the frame.
  for (const box of boxes.toReversed()) {
    if (!box.open) {
      sizes.set(box.id, leafSize(box));
      continue;
    }
    const arrangement = arrange(inside.get(box.id) ?? [], arrows.get(box.id) ?? [], sizes);
    arranged.set(box.id, arrangement);
    sizes.set(box.id, frameSize(box, arrangement));
  }
  const all = arrange(inside.get(undefined) ?? [], arrows.get(undefined) ?? [], sizes);
  arranged.set(undefined, all);
  const { margin, padding, frameHead } = MEASURES;
  const places = new Map<number, Offset>();
  const placed = boxes.map((box): PlacedBox => {
    const around =
      box.inside === undefined
        ? { x: margin, y: margin }
        : shifted(places.get(box.inside), { x: padding, y: frameHead });
    const place = shifted(around, arranged.get(box.inside)?.offsets.get(box.id));
    places.set(box.id, place);
    const size = sizes.get(box.id) ?? leafSize(box);
    const room = size.width - 2 * padding;
    const { name, type } = textsOf(box);
    return {
      box,
      ...place,
      ...size,
      name: cutText(name, MEASURES.nameSize, box.open ? room * 0.6 : room),
      type: cutText(type, MEASURES.typeSize, box.open ? room * 0.4 : room),
    };
  });
  return {
    width: Math.ceil(all.width + 2 * margin),
    height: Math.ceil(all.height + 2 * margin),
    boxes: placed,
    edges: drawing.edges,
  };
}

function shifted(a: Offset | undefined, b: Offset | undefined): Offset {
  return { x: (a?.x ?? 0) + (b?.x ?? 0), y: (a?.y ?? 0) + (b?.y ?? 0) };
}

/** Returns the texts of a box in full length. */
function textsOf({ name, type, mark, folded, node }: GraphBox): {
  readonly name: string;
  readonly type: string;
} {
  const glyph = mark === undefined || mark.glyph === '' ? '' : `${mark.glyph} `;
  const count = folded === 0 ? '' : node === undefined ? `${folded} resources` : `${folded} inside`;
  return { name: `${glyph}${name}`, type: [type, count].filter((text) => text !== '').join(' · ') };
}

function leafSize(box: GraphBox): Size {
  const { name, type } = textsOf(box);
  const { nameSize, typeSize, boxHeight, padding } = MEASURES;
  const wanted = Math.max(textWidth(name, nameSize), textWidth(type, typeSize)) + 2 * padding;
  return { width: Math.min(WIDEST, Math.max(NARROWEST, Math.ceil(wanted))), height: boxHeight };
}

function frameSize(box: GraphBox, { width, height }: Size): Size {
  const { name, type } = textsOf(box);
  const { nameSize, typeSize, padding, frameHead } = MEASURES;
  const title = Math.min(WIDEST, textWidth(name, nameSize) + textWidth(type, typeSize) + padding);
  return { width: Math.max(width, title) + 2 * padding, height: height + frameHead + padding };
}

/**
 * Returns the arrows between boxes directly inside the same frame; an arrow between deeper boxes counts for the boxes
 * around its ends.
 */
function arrowsByFrame({ boxes, edges }: Drawing): ReadonlyMap<number | undefined, readonly Arrow[]> {
  const found = new Map<number | undefined, Arrow[]>();
  const seen = new Set<string>();
  for (const { from, to } of edges) {
    const above = new Map<number | undefined, number>();
    for (let at: number | undefined = from; at !== undefined; at = boxes[at]?.inside)
      above.set(boxes[at]?.inside, at);
    let end = to;
    while (!above.has(boxes[end]?.inside)) end = boxes[end]?.inside as number;
    const frame = boxes[end]?.inside;
    const start = above.get(frame) as number;
    const key = `${start} ${end}`;
    if (start === end || seen.has(key)) continue;
    seen.add(key);
    const known = found.get(frame);
    if (known === undefined) found.set(frame, [[start, end]]);
    else known.push([start, end]);
  }
  return found;
}

/** Arranges the boxes of one frame: layers side by side, each in columns, and below them the boxes without arrows. */
function arrange(
  ids: readonly number[],
  arrows: readonly Arrow[],
  sizes: ReadonlyMap<number, Size>,
): Arrangement {
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const local = arrows.map(([from, to]): Arrow => [indexes.get(from) as number, indexes.get(to) as number]);
  const layers = orderLayers(layersOf(ids.length, local), ids.length, local).map((items) =>
    items.map((index) => ids[index] as number),
  );
  const layered = new Set(layers.flat());
  const rest = ids.filter((id) => !layered.has(id));
  const offsets = new Map<number, Offset>();
  const flow = besideEachOther(layers, columnHeight(layers.flat(), sizes, 2), sizes, offsets);
  const below = new Map<number, Offset>();
  const grid = besideEachOther(
    rest.length === 0 ? [] : [rest],
    Math.min(columnHeight(rest, sizes, 1), heightFor(rest, sizes, flow.width)),
    sizes,
    below,
  );
  const gap = layers.length > 0 && rest.length > 0 ? 2 * COLUMN_GAP : 0;
  for (const [id, { x, y }] of below) offsets.set(id, { x, y: y + flow.height + gap });
  return {
    width: Math.max(flow.width, grid.width),
    height: flow.height + gap + grid.height,
    offsets,
  };
}

/**
 * Returns the height of columns that give a drawing about the preferred shape. `spread` is the factor by which gaps
 * widen it.
 */
function columnHeight(ids: readonly number[], sizes: ReadonlyMap<number, Size>, spread: number): number {
  return Math.max(tallest(ids, sizes), Math.sqrt((areaOf(ids, sizes) * spread) / SHAPE));
}

/** Returns the height of columns that fill a width. */
function heightFor(ids: readonly number[], sizes: ReadonlyMap<number, Size>, width: number): number {
  return width === 0 ? Infinity : Math.max(tallest(ids, sizes), (areaOf(ids, sizes) * 1.2) / width);
}

function tallest(ids: readonly number[], sizes: ReadonlyMap<number, Size>): number {
  return ids.reduce((most, id) => Math.max(most, sizes.get(id)?.height ?? 0), 0);
}

function areaOf(ids: readonly number[], sizes: ReadonlyMap<number, Size>): number {
  return ids.reduce((sum, id) => {
    const { width = 0, height = 0 } = sizes.get(id) ?? {};
    return sum + (width + COLUMN_GAP) * (height + ROW_GAP);
  }, 0);
}

/** Boxes below each other, with the position of the column. */
interface Column {
  readonly ids: number[];
  readonly x: number;
  /** Row that contains the column, from 0. */
  readonly row: number;
  height: number;
  width: number;
}

/**
 * Puts layers side by side, each in as many columns as it needs, all centred vertically. Layers that would be far too
 * wide continue in another row, like lines of a text.
 */
function besideEachOther(
  layers: readonly (readonly number[])[],
  most: number,
  sizes: ReadonlyMap<number, Size>,
  offsets: Map<number, Offset>,
): Size {
  const widest = Math.max(NARROWEST_ROW, Math.sqrt(areaOf(layers.flat(), sizes) * SHAPE * ROW_SPREAD));
  const columns: Column[] = [];
  let x = 0;
  let row = 0;
  for (const ids of layers) {
    const own: Column[] = columnsOf(ids, most, sizes);
    const end = own.at(-1);
    const width = end === undefined ? 0 : end.x + end.width;
    if (x > 0 && x + LAYER_GAP + width > widest) {
      x = 0;
      row += 1;
    }
    const start = x === 0 ? 0 : x + LAYER_GAP;
    for (const column of own) columns.push({ ...column, x: start + column.x, row });
    x = start + width;
  }
  const heights = Array.from({ length: row + 1 }, () => 0);
  for (const column of columns) heights[column.row] = Math.max(heights[column.row] ?? 0, column.height);
  let top = 0;
  const tops = heights.map((height) => (top += height + LAYER_GAP) - height - LAYER_GAP);
  for (const column of columns) {
    const room = layers.length > 1 ? (heights[column.row] ?? 0) - column.height : 0;
    let y = (tops[column.row] ?? 0) + room / 2;
    for (const id of column.ids) {
      offsets.set(id, { x: column.x, y });
      y += (sizes.get(id)?.height ?? 0) + ROW_GAP;
    }
  }
  const width = columns.reduce((right, column) => Math.max(right, column.x + column.width), 0);
  return { width, height: Math.max(0, top - LAYER_GAP) };
}

/** Splits a layer into columns of at most this height, from 0 to the right. */
function columnsOf(ids: readonly number[], most: number, sizes: ReadonlyMap<number, Size>): Column[] {
  const columns: Column[] = [];
  let column: Column | undefined;
  for (const id of ids) {
    const { width, height } = sizes.get(id) as Size;
    if (column === undefined || column.height + ROW_GAP + height > most) {
      const x: number = column === undefined ? 0 : column.x + column.width + COLUMN_GAP;
      column = { ids: [], x, row: 0, height: -ROW_GAP, width: 0 };
      columns.push(column);
    }
    column.ids.push(id);
    column.height += ROW_GAP + height;
    column.width = Math.max(column.width, width);
  }
  return columns;
}
