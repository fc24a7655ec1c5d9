import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { nodeAt, walkGraph } from '../../../src/model/graph-layout.js';
import { GraphCanvas } from './graph-canvas.js';
import { GraphSvg } from './graph-svg.js';
import { READ_SCALE, fittingView, viewWith, zoomedView } from './graph-view.js';
import type { Picture, Viewport } from './graph-view.js';
import { h } from '../../parts/h.js';

/** Resources up to which a graph has an element for each. */
const MOST_ELEMENTS = 300;
const ZOOM = 1.3;

/** Drawing of a graph that can be moved, made larger and smaller, and walked by keys. */
export function GraphDrawing({
  picture,
  onSelect,
}: {
  readonly picture: Picture;
  readonly onSelect: (at: number) => void;
}): VNode {
  const { graph, layout, selected } = picture;
  const box = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 800, height: 500 });
  // Small drawings begin with names that can be read, large ones with all of them.
  const least = layout.count <= MOST_ELEMENTS ? READ_SCALE : undefined;
  const begin = (): Viewport => fittingView(layout, size.value, least);
  const viewport = useSignal<Viewport>(begin());
  const choices = useRef<readonly number[]>([]);
  const drag = useRef<{ readonly x: number; readonly y: number; isMoved: boolean } | undefined>(undefined);
  const fit = (): void => {
    viewport.value = fittingView(layout, size.value);
  };
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => {
      size.value = { width: current.clientWidth, height: current.clientHeight };
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => void (viewport.value = begin()), [layout, size.value]);
  useEffect(() => {
    if (selected !== undefined && (layout.column[selected] as number) >= 0)
      viewport.value = viewWith(viewport.value, layout, selected, size.value);
  }, [layout, selected, size.value]);
  const zoom = (factor: number, x = size.value.width / 2, y = size.value.height / 2): void => {
    viewport.value = zoomedView(viewport.value, factor, x, y);
  };
  const placeOf = (event: MouseEvent): readonly [number, number] => {
    const { left = 0, top = 0 } = box.current?.getBoundingClientRect() ?? {};
    return [event.clientX - left, event.clientY - top];
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (key === '+' || key === '-') zoom(key === '+' ? ZOOM : 1 / ZOOM);
    else if (key === '0') fit();
    else if (key === 'Home' || (selected === undefined && key.startsWith('Arrow'))) {
      const first = layout.columns[0]?.members[0];
      if (first !== undefined) onSelect(first);
    } else if (key === 'ArrowLeft' || key === 'ArrowRight' || key === 'ArrowUp' || key === 'ArrowDown') {
      const next = walkGraph(graph, layout, { at: selected ?? 0, choices: choices.current }, key);
      choices.current = next.choices;
      onSelect(next.at);
    } else return;
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent): void => {
    const from = drag.current;
    if (from === undefined || event.buttons === 0) return;
    const { scale, left, top } = viewport.value;
    const [x, y] = [event.clientX, event.clientY];
    const isMoved = from.isMoved || Math.abs(x - from.x) + Math.abs(y - from.y) > 4;
    if (!isMoved) return;
    viewport.value = { scale, left: left - (x - from.x) / scale, top: top - (y - from.y) / scale };
    drag.current = { x, y, isMoved };
  };
  const onPointerUp = (event: PointerEvent): void => {
    const from = drag.current;
    drag.current = undefined;
    if (from === undefined || from.isMoved) return;
    const [x, y] = placeOf(event);
    const { scale, left, top } = viewport.value;
    const at = nodeAt(layout, left + x / scale, top + y / scale);
    choices.current = [];
    if (at !== undefined) onSelect(at);
  };
  const Drawing = layout.count <= MOST_ELEMENTS ? GraphSvg : GraphCanvas;
  return h('div', { class: 'drawing-frame' }, [
    h(
      'div',
      {
        ...{ ref: box, class: 'drawing', role: 'application', tabIndex: 0 },
        ...{ 'aria-label': 'Graph of resources', 'aria-describedby': 'graph-keys' },
        ...{ onKeyDown, onPointerMove, onPointerUp },
        onPointerDown: (event: PointerEvent) => {
          drag.current = { x: event.clientX, y: event.clientY, isMoved: false };
        },
        onWheel: (event: WheelEvent) => {
          event.preventDefault();
          zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, ...placeOf(event));
        },
      },
      h(Drawing, { picture, viewport, size: size.value }),
    ),
    h('div', { class: 'tools', role: 'group', 'aria-label': 'View of the graph' }, [
      button('Larger', () => zoom(ZOOM)),
      button('Smaller', () => zoom(1 / ZOOM)),
      button('Whole graph', fit),
      h(
        'span',
        { id: 'graph-keys', class: 'quiet' },
        'Keys: → what it needs, ← what needs it, ↑ ↓ others, + − 0 the scale.',
      ),
    ]),
  ]);
}

function button(text: string, onClick: () => void): VNode {
  return h('button', { type: 'button', class: 'small', key: text, onClick }, text);
}
