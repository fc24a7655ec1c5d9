import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ConsoleResourceRow, ConsoleResourcesAnswer } from '@cairn/http-api';
import { NO_TASK, taskGlyphs, typeGlyphs } from '../../../src/model/graph-glyphs.js';
import type { Glyph } from '../../../src/model/graph-glyphs.js';
import { layoutGraph } from '../../../src/model/graph-layout.js';
import type { GraphLayout } from '../../../src/model/graph-layout.js';
import { neighbours, pathBetween, graphOfRows } from '../../../src/model/graph.js';
import type { GraphEdges, ResourceGraph } from '../../../src/model/graph.js';
import { hasWords } from '../../../src/model/resource-tree.js';
import { stackCall } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { query, setQuery } from '../../api/router.js';
import { Empty, Failure, Name, Waiting } from '../../parts/basics.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import { VirtualRows } from '../../parts/virtual-rows.js';
import { useChange } from '../change/watch-change.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { GraphDrawing } from './graph-drawing.js';
import { GraphNodeDetail } from './graph-node.js';
import { GlyphSign, GraphTools, Legend } from './graph-tools.js';
import type { Picture } from './graph-view.js';
import { h } from '../../parts/h.js';

/** Resources of a stack as a graph, with a list of the same beside it. */
export function Graph({ name, loaded: { value: stack } }: StackPageProps): VNode {
  useTitle(`Graph of ${name.project}/${name.stack}`);
  const { loaded } = useLoaded<ConsoleResourcesAnswer>(
    // The number of the newest version is part of the address, so that a new one is loaded.
    stack === undefined ? undefined : stackCall(name, `/resources?newest=${stack.version}`),
  );
  const { value, failure } = loaded.value;
  const isStatus = query.value.get('colour') === 'status';
  const newest = stack?.changes[0];
  const { page } = useChange(name, isStatus ? newest?.number : undefined, () => undefined);
  const tasks = useMemo(() => taskGlyphs(page.value?.tasks ?? []), [page.value]);
  return h('div', { class: 'page-tall' }, [
    h(StackHead, { name, page: 'graph', doubts: stack?.doubts.length ?? 0 }),
    failure === undefined ? null : h(Failure, { failure, what: 'show the graph' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the resources' }) : null,
    value?.resources.length === 0
      ? h(Empty, { text: 'The stack has no resources.', command: 'cairn up' })
      : null,
    (value?.resources.length ?? 0) > 0
      ? h(GraphPage, {
          rows: value?.resources ?? [],
          tasks: isStatus ? tasks : undefined,
          change: newest?.number,
        })
      : null,
  ]);
}

interface GraphPageProps {
  readonly rows: readonly ConsoleResourceRow[];
  /** Signs by the steps of the newest change. Undefined for signs by type. */
  readonly tasks: ReadonlyMap<string, Glyph> | undefined;
  readonly change: number | undefined;
}

function GraphPage({ rows, tasks, change }: GraphPageProps): VNode {
  const edges = edgesIn(query.value.get('edges'));
  const graph = useMemo(() => graphOfRows(rows, edges), [rows, edges]);
  const depth = Number(query.value.get('depth') ?? '');
  const selected = indexOf(graph, query.value.get('urn'));
  const start = indexOf(graph, query.value.get('from'));
  const filter = query.value.get('filter') ?? '';
  const centre = depth > 0 ? selected : undefined;
  const layout = useMemo(
    () => layoutGraph(graph, centre === undefined ? undefined : neighbours(graph, centre, depth)),
    [graph, centre, depth],
  );
  const types = useMemo(() => typeGlyphs(graph.nodes), [graph]);
  const path = useMemo(
    () => (start === undefined || selected === undefined ? [] : pathBetween(graph, start, selected)),
    [graph, start, selected],
  );
  const listed = useMemo(() => listedNodes(graph, layout, filter), [graph, layout, filter]);
  const glyphOf = (at: number): Glyph => {
    const node = graph.nodes[at];
    if (node === undefined) return NO_TASK;
    return (tasks === undefined ? types.get(node.type) : tasks.get(node.row.urn)) ?? NO_TASK;
  };
  const picture = useMemo<Picture>(
    () => ({
      ...{ graph, layout, glyphOf, selected },
      marked: path.length > 0 ? new Set(path) : filter === '' ? undefined : new Set(listed),
      path: new Set(
        path
          .slice(1)
          .flatMap((to, index) => [`${String(path[index])} ${to}`, `${to} ${String(path[index])}`]),
      ),
    }),
    [graph, layout, tasks, types, selected, path, filter, listed],
  );
  const select = (at: number): void => setQuery({ urn: graph.nodes[at]?.row.urn ?? '' });
  return h('div', { class: 'graph' }, [
    h(GraphTools, {
      edges,
      depth,
      filter,
      byStatus: tasks !== undefined,
      change,
      hasSelected: selected !== undefined,
    }),
    h('p', { class: 'quiet', role: 'status' }, summaryOf(rows.length, layout.count, listed.length)),
    h('div', { class: 'split split-open' }, [
      h('div', { class: 'tree-side' }, [
        h(GraphDrawing, { picture, onSelect: select }),
        h(Legend, { types, tasks }),
      ]),
      h('div', { class: 'graph-side' }, [
        h(VirtualRows<number>, {
          ...{ label: 'Resources of the graph', rows: listed },
          selected: selected === undefined ? undefined : String(selected),
          keyOf: (at) => String(at),
          onSelect: select,
          render: (at) => {
            const { name = '', type = '' } = graph.nodes[at] ?? {};
            const glyph = glyphOf(at);
            return h('span', { class: 'resource-line' }, [
              h(GlyphSign, { glyph }),
              h('span', { class: 'resource-name' }, h(Name, { text: name })),
              h(
                'span',
                { class: 'quiet resource-type' },
                h(Name, { text: tasks === undefined ? type : glyph.words }),
              ),
            ]);
          },
        }),
        selected === undefined
          ? null
          : h(GraphNodeDetail, {
              graph,
              at: selected,
              glyph: glyphOf(selected),
              start,
              path,
              onSelect: select,
            }),
      ]),
    ]),
  ]);
}

function edgesIn(text: string | null): GraphEdges {
  return text === 'needs' || text === 'parents' ? text : 'both';
}

/** Returns the index of the resource with a URN. Of a replaced one, that of the object that is there now. */
function indexOf({ nodes }: ResourceGraph, urn: string | null): number | undefined {
  if (urn === null || urn === '') return undefined;
  const at = nodes.findLastIndex(({ row }) => row.urn === urn && row.delete !== true);
  return at === -1 ? undefined : at;
}

/** Returns the resources of the drawing that a filter finds, in the order of the waves. */
function listedNodes({ nodes }: ResourceGraph, layout: GraphLayout, filter: string): readonly number[] {
  const placed = layout.columns.flatMap(({ members }) => members);
  return placed.filter((at) => hasWords(nodes[at]?.row ?? { urn: '', custom: false }, filter));
}

function summaryOf(all: number, shown: number, listed: number): string {
  const found = listed === shown ? '' : `, ${listed} found`;
  return `${shown === all ? `${all} resources` : `${shown} of ${all} resources`}${found}`;
}
