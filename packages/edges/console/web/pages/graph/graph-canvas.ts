import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visible } from '@cairn/diagnostics';
import { SHAPES } from '../../../src/model/graph-glyphs.js';
import { CELL, seenNodes } from '../../../src/model/graph-layout.js';
import { shortenText } from '../../../src/model/texts.js';
import { NAME_LENGTH } from './graph-svg.js';
import { edgeCurve, edgesOf, windowOf } from './graph-view.js';
import type { DrawingProps, Picture } from './graph-view.js';
import { h } from '../../parts/h.js';

/** Scale below which names could not be read. */
const READABLE = 0.45;
/** Connections in one drawing. Of more, only those of the selected resource and of the path are drawn. */
const MOST_EDGES = 4000;
/** Connections of the selected resource in one drawing. */
const MOST_NEAR = 500;

/** Drawing of a graph of many resources, of which only what is seen is drawn. */
export function GraphCanvas({ picture, viewport, size }: DrawingProps): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = viewport.value;
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const context = canvas.current?.getContext('2d');
      if (context) draw(context, picture, view, size);
    });
    return () => cancelAnimationFrame(frame);
  }, [picture, view, size.width, size.height]);
  const density = globalThis.devicePixelRatio;
  return h('canvas', {
    ...{ ref: canvas, 'aria-hidden': true, style: { width: `${size.width}px`, height: `${size.height}px` } },
    ...{ width: Math.round(size.width * density), height: Math.round(size.height * density) },
  });
}

function draw(
  context: CanvasRenderingContext2D,
  picture: Picture,
  view: DrawingProps['viewport']['value'],
  size: DrawingProps['size'],
): void {
  const style = getComputedStyle(context.canvas);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`);
  const density = globalThis.devicePixelRatio;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  const scale = view.scale * density;
  context.setTransform(scale, 0, 0, scale, -view.left * scale, -view.top * scale);
  const seen = seenNodes(picture.layout, windowOf(view, size));
  drawEdges(context, picture, seen, colour);
  drawNodes(context, picture, seen, view.scale >= READABLE, colour, style.fontFamily);
}

function drawEdges(
  context: CanvasRenderingContext2D,
  picture: Picture,
  seen: readonly number[],
  colour: (name: string) => string,
): void {
  const { layout, selected, path } = picture;
  const isNear = ([from, to]: readonly [number, number]): boolean => from === selected || to === selected;
  const isPath = ([from, to]: readonly [number, number]): boolean => path.has(`${from} ${to}`);
  const all = edgesOf(picture, seen);
  const rest = all.length > MOST_EDGES ? [] : all.filter((edge) => !isNear(edge) && !isPath(edge));
  const near = all.filter((edge) => isNear(edge) && !isPath(edge));
  const groups = [
    [rest, 'line', 1],
    [near.slice(0, MOST_NEAR), 'quiet', near.length > 50 ? 0.5 : 1.5],
    [all.filter(isPath), 'link', 3],
  ] as const;
  for (const [edges, name, width] of groups) {
    const curves = new Path2D();
    for (const [from, to] of edges) curves.addPath(new Path2D(edgeCurve(layout, from, to)));
    context.strokeStyle = colour(name);
    context.lineWidth = width;
    context.stroke(curves);
  }
}

const OUTLINES = new Map(Object.entries(SHAPES).map(([name, outline]) => [name, new Path2D(outline)]));

function drawNodes(
  context: CanvasRenderingContext2D,
  { graph, layout, glyphOf, selected, marked }: Picture,
  seen: readonly number[],
  isReadable: boolean,
  colour: (name: string) => string,
  font: string,
): void {
  context.font = `13px ${font}`;
  const [ink, ground, line, focus] = ['ink', 'raised', 'line', 'focus'].map(colour) as [
    ...[string, string, string, string],
  ];
  for (const at of seen) {
    const [x, y] = [layout.x[at] as number, layout.y[at] as number];
    const { shape, tone } = glyphOf(at);
    context.globalAlpha = marked === undefined || marked.has(at) ? 1 : 0.25;
    if (isReadable || at === selected) {
      context.fillStyle = ground;
      context.strokeStyle = at === selected ? focus : line;
      context.lineWidth = at === selected ? 2 : 1;
      context.fillRect(x, y + 3, CELL.width - 14, CELL.height - 6);
      context.strokeRect(x, y + 3, CELL.width - 14, CELL.height - 6);
    }
    context.translate(x + 6, y + 10);
    context.fillStyle = colour(tone);
    context.fill(OUTLINES.get(shape) as Path2D);
    if (isReadable) {
      context.fillStyle = ink;
      context.fillText(visible(shortenText(graph.nodes[at]?.name ?? '', NAME_LENGTH).text), 22, 12);
    }
    context.translate(-x - 6, -y - 10);
  }
  context.globalAlpha = 1;
}
