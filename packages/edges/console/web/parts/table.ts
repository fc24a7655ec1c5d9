import type { VNode } from 'preact';
import { h } from './h.js';

interface TableProps {
  /** Name of the region that scrolls. */
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (VNode | string | null)[])[];
}

/** Table that scrolls where it is too wide. */
export function Table({ label, head, rows }: TableProps): VNode {
  const heads = head.map((text) => h('th', { scope: 'col' }, text));
  return h('div', { class: 'scroll', role: 'region', 'aria-label': label, tabIndex: 0 }, [
    h('table', { class: 'list' }, [
      h('thead', null, h('tr', null, heads)),
      h(
        'tbody',
        null,
        rows.map((cells, row) =>
          h(
            'tr',
            { key: row },
            cells.map((cell, column) => h('td', { key: column }, cell)),
          ),
        ),
      ),
    ]),
  ]);
}
