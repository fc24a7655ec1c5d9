import type { VNode } from 'preact';
import { SHAPES } from '../../../src/model/graph-glyphs.js';
import type { Glyph } from '../../../src/model/graph-glyphs.js';
import type { GraphEdges } from '../../../src/model/graph.js';
import { setQuery } from '../../api/router.js';
import { Name } from '../../parts/basics.js';
import { h } from '../../parts/h.js';

/** Rows of a legend. */
const MOST = 12;

interface ToolsProps {
  readonly edges: GraphEdges;
  readonly depth: number;
  readonly filter: string;
  readonly byStatus: boolean;
  /** Number of the newest change. */
  readonly change: number | undefined;
  readonly hasSelected: boolean;
}

/** Choices of a graph: its connections, its signs, and how much of it is shown. */
export function GraphTools({ edges, depth, filter, byStatus, change, hasSelected }: ToolsProps): VNode {
  return h('div', { class: 'tools' }, [
    h('input', {
      ...{
        type: 'search',
        'aria-label': 'Find in the graph',
        placeholder: 'Name, type or id',
        value: filter,
      },
      onInput: (event: Event) => setQuery({ filter: (event.currentTarget as HTMLInputElement).value }),
    }),
    choice('Connections', 'edges', edges, [
      ['both', 'Needs and parents'],
      ['needs', 'Needs'],
      ['parents', 'Parents'],
    ]),
    choice('Signs', 'colour', byStatus ? 'status' : 'type', [
      ['type', 'By type'],
      ...(change === undefined ? [] : [['status', `By steps of change ${change}`] as const]),
    ]),
    hasSelected || depth > 0
      ? choice('Around the chosen resource', 'depth', String(depth), [
          ['0', 'Everything'],
          ...['1', '2', '3', '5'].map((each) => [each, `${each} away at most`] as const),
        ])
      : null,
  ]);
}

function choice(
  label: string,
  key: string,
  value: string,
  options: readonly (readonly [value: string, text: string])[],
): VNode {
  return h('label', { class: 'choice' }, [
    h('span', { class: 'quiet' }, label),
    h(
      'select',
      {
        value,
        onChange: (event: Event) => {
          const chosen = (event.currentTarget as HTMLSelectElement).value;
          setQuery({ [key]: chosen === options[0]?.[0] ? '' : chosen });
        },
      },
      options.map(([each, text]) => h('option', { key: each, value: each, selected: each === value }, text)),
    ),
  ]);
}

/** Sign of a resource. The words beside it say the same. */
export function GlyphSign({ glyph: { shape, tone } }: { readonly glyph: Glyph }): VNode {
  return h(
    'svg',
    { class: `glyph-sign ink-${tone}`, width: 14, height: 14, viewBox: '0 0 14 14', 'aria-hidden': true },
    h('path', { d: SHAPES[shape] }),
  );
}

interface LegendProps {
  readonly types: ReadonlyMap<string, Glyph & { readonly count: number }>;
  readonly tasks: ReadonlyMap<string, Glyph> | undefined;
}

/** Meaning of the signs, the most frequent first. */
export function Legend({ types, tasks }: LegendProps): VNode {
  const rows = tasks === undefined ? [...types.values()] : taskRows(tasks);
  return h('ul', { class: 'legend', 'aria-label': 'Signs' }, [
    ...rows
      .slice(0, MOST)
      .map((row) =>
        h('li', { key: row.words }, [
          h(GlyphSign, { glyph: row }),
          h(Name, { text: row.words }),
          h('span', { class: 'quiet' }, ` ${row.count}`),
        ]),
      ),
    rows.length > MOST ? h('li', { class: 'quiet' }, `and ${rows.length - MOST} more`) : null,
  ]);
}

function taskRows(tasks: ReadonlyMap<string, Glyph>): readonly (Glyph & { readonly count: number })[] {
  const rows = new Map<string, Glyph & { count: number }>();
  for (const glyph of tasks.values()) {
    const row = rows.get(glyph.words) ?? { ...glyph, count: 0 };
    row.count += 1;
    rows.set(glyph.words, row);
  }
  return [...rows.values()].sort((a, b) => b.count - a.count);
}
