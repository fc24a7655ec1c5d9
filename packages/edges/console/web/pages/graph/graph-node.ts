import type { VNode } from 'preact';
import type { Glyph } from '../../../src/model/graph-glyphs.js';
import type { ResourceGraph } from '../../../src/model/graph.js';
import { setQuery, view, stackAddress } from '../../api/router.js';
import { Name } from '../../parts/basics.js';
import { GlyphSign } from './graph-tools.js';
import { h } from '../../parts/h.js';

interface NodeProps {
  readonly graph: ResourceGraph;
  readonly at: number;
  readonly glyph: Glyph;
  /** Resource at which a path begins. */
  readonly start: number | undefined;
  readonly path: readonly number[];
  readonly onSelect: (at: number) => void;
}

/** The chosen resource of a graph: what it needs, what needs it, and the path to it. */
export function GraphNodeDetail({ graph, at, glyph, start, path, onSelect }: NodeProps): VNode {
  const { name = '', type = '', row } = graph.nodes[at] ?? {};
  const needs = graph.needs[at] ?? [];
  const neededBy = graph.neededBy[at] ?? [];
  const { value } = view;
  return h('section', { class: 'graph-node', 'aria-label': `Resource ${name}` }, [
    h(
      'div',
      { role: 'status' },
      h('h2', null, [
        h(GlyphSign, { glyph }),
        h(Name, { text: name }),
        h(
          'span',
          { class: 'quiet count' },
          ` ${type === glyph.words ? '' : `${glyph.words}, `}needs ${needs.length}, needed by ${neededBy.length}`,
        ),
      ]),
    ),
    h('p', { class: 'quiet' }, h(Name, { text: type })),
    h('div', { class: 'actions' }, [
      value.t === 'stack'
        ? h(
            'a',
            {
              href: `${stackAddress(value.name, 'resources')}?${new URLSearchParams({ urn: row?.urn ?? '' })}`,
            },
            'Properties',
          )
        : null,
      start === at
        ? h('span', { class: 'quiet' }, 'The path begins here. Choose its end.')
        : button('Path from here', () => setQuery({ from: row?.urn ?? '' })),
      start === undefined ? null : button('No path', () => setQuery({ from: '' })),
    ]),
    start === undefined || start === at
      ? null
      : path.length === 0
        ? h('p', { role: 'status' }, 'There is no path between the two.')
        : h(Nodes, { title: `Path of ${path.length - 1}`, graph, those: path, onSelect }),
    h(Nodes, { title: 'Needs', graph, those: needs, onSelect }),
    h(Nodes, { title: 'Needed by', graph, those: neededBy, onSelect }),
  ]);
}

/** Ends of connections that are listed before it is asked for more. */
const MOST = 30;

interface NodesProps extends Pick<NodeProps, 'graph' | 'onSelect'> {
  readonly title: string;
  readonly those: readonly number[];
}

function Nodes({ title, graph, those, onSelect }: NodesProps): VNode | null {
  if (those.length === 0) return null;
  const left = those.length - MOST;
  return h('div', null, [
    h('h3', null, title),
    h(
      'ul',
      { class: 'plain-list', 'aria-label': title },
      those
        .slice(0, MOST)
        .map((at) =>
          h('li', { key: at }, [
            h(
              'button',
              { type: 'button', class: 'link', onClick: () => onSelect(at) },
              h(Name, { text: graph.nodes[at]?.name ?? '' }),
            ),
            h('span', { class: 'quiet' }, [' ', h(Name, { text: graph.nodes[at]?.type ?? '' })]),
          ]),
        ),
    ),
    left > 0 ? h('p', { class: 'quiet' }, `and ${left} more`) : null,
  ]);
}

function button(text: string, onClick: () => void): VNode {
  return h('button', { type: 'button', class: 'small', key: text, onClick }, text);
}
