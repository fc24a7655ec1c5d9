import type { VNode } from 'preact';
import { visible } from '@cairn/diagnostics';
import { SHAPES } from '../../../src/model/graph-glyphs.js';
import { CELL } from '../../../src/model/graph-layout.js';
import { shortenText } from '../../../src/model/texts.js';
import { edgeCurve, edgesOf } from './graph-view.js';
import type { DrawingProps, Picture } from './graph-view.js';
import { h } from '../../parts/h.js';

/** Longest name that fits its place. */
export const NAME_LENGTH = 24;

/** Drawing of a graph of few resources. The list beside it has the same for those who do not see it. */
export function GraphSvg({ picture, viewport, size }: DrawingProps): VNode {
  const { scale, left, top } = viewport.value;
  const nodes = picture.layout.columns.flatMap(({ members }) => members);
  return h(
    'svg',
    { ...size, 'aria-hidden': true },
    h('g', { transform: `scale(${scale}) translate(${-left} ${-top})` }, [
      ...edgesOf(picture, nodes).map(([from, to]) =>
        h('path', {
          key: `${from} ${to}`,
          class: edgeClass(picture, from, to),
          d: edgeCurve(picture.layout, from, to),
        }),
      ),
      ...nodes.map((at) => node(picture, at)),
    ]),
  );
}

/** Returns the class of a connection: of a path, of the selected resource, or another. */
function edgeClass({ path, selected }: Picture, from: number, to: number): string {
  if (path.has(`${from} ${to}`)) return 'edge edge-path';
  return from === selected || to === selected ? 'edge edge-near' : 'edge';
}

function node({ graph, layout, glyphOf, selected, marked }: Picture, at: number): VNode {
  const { shape, tone } = glyphOf(at);
  const isFaint = marked !== undefined && !marked.has(at);
  const text = visible(shortenText(graph.nodes[at]?.name ?? '', NAME_LENGTH).text);
  return h(
    'g',
    {
      ...{ key: `node ${at}`, class: `node${isFaint ? ' node-faint' : ''}` },
      transform: `translate(${layout.x[at] as number} ${layout.y[at] as number})`,
    },
    [
      h('rect', {
        class: at === selected ? 'node-box node-selected' : 'node-box',
        ...{ x: 0, y: 3, width: CELL.width - 14, height: CELL.height - 6, rx: 4 },
      }),
      h('path', { class: `glyph ink-${tone}`, transform: 'translate(6 10)', d: SHAPES[shape] }),
      h('text', { x: 28, y: 22 }, text),
    ],
  );
}
