import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { ConsoleResourcesAnswer } from '@cairn/http-api';
import { nameOfResource, treeRows } from '../../../src/model/resource-tree.js';
import type { ResourceTreeRow } from '../../../src/model/resource-tree.js';
import { stackCall } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { query, setQuery } from '../../api/router.js';
import { Badge, Empty, Failure, Name, Waiting } from '../../parts/basics.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import { SearchField } from '../../parts/search-field.js';
import { VirtualRows } from '../../parts/virtual-rows.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { ResourceEntry } from './resource-entry.js';
import { h } from '../../parts/h.js';

/** Resources of a stack as a tree by parent or as a list, beside the entry of the chosen one. */
export function Resources({ name, loaded: { value: stack } }: StackPageProps): VNode {
  useTitle(`Resources of ${name.project}/${name.stack}`);
  const version = query.value.get('version') ?? '';
  // The number of the newest version is part of the address, so that a new one is loaded.
  const property = query.value.get('property') ?? '';
  const search = new URLSearchParams({
    ...(version === '' ? { newest: String(stack?.version ?? 0) } : { version }),
    ...(property !== '' && { property }),
  });
  const { loaded } = useLoaded<ConsoleResourcesAnswer>(
    stack === undefined ? undefined : stackCall(name, `/resources?${search}`),
  );
  const { value, failure } = loaded.value;
  const selected = query.value.get('urn') ?? undefined;
  return h('div', { class: 'page-tall' }, [
    h(StackHead, { name, page: 'resources', doubts: stack?.doubts.length ?? 0 }),
    failure === undefined ? null : h(Failure, { failure, what: 'list the resources' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the resources' }) : null,
    h(Found, { count: value?.resources.length, property }),
    (value?.resources.length ?? 0) > 0
      ? h('div', { class: `split${selected === undefined ? '' : ' split-open'}` }, [
          h(ResourceRows, { rows: value?.resources ?? [], selected }),
          selected === undefined
            ? null
            : h(ResourceEntry, {
                key: selected,
                name,
                urn: selected,
                version,
                role: stack?.role ?? 'reader',
              }),
        ])
      : null,
  ]);
}

/** Says what the rows are limited to, and why there are none. */
function Found({
  count,
  property,
}: {
  readonly count: number | undefined;
  readonly property: string;
}): VNode | null {
  if (property !== '')
    return h('p', { class: 'tools' }, [
      h('span', { role: 'status' }, [
        `${count ?? '…'} with a property like `,
        h('code', null, h(Name, { text: property })),
      ]),
      h(
        'button',
        { type: 'button', class: 'small', onClick: () => setQuery({ property: '' }) },
        'All resources',
      ),
    ]);
  if (count !== 0) return null;
  return h(Empty, { text: 'The stack has no resources.', command: 'cairn up' });
}

interface RowsProps {
  readonly rows: ConsoleResourcesAnswer['resources'];
  readonly selected: string | undefined;
}

function ResourceRows({ rows, selected }: RowsProps): VNode {
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const filter = query.value.get('filter') ?? '';
  const shape = query.value.get('shape') === 'list' ? 'list' : 'tree';
  const shown = useMemo(
    () => treeRows(rows, { shape, filter, closed: closed.value }),
    [rows, shape, filter, closed.value],
  );
  const toggle = ({ row, children }: ResourceTreeRow, open: boolean): void => {
    if (children === 0) return;
    const next = new Set(closed.value);
    if (open) next.delete(row.urn);
    else next.add(row.urn);
    closed.value = next;
  };
  return h('div', { class: 'tree-side' }, [
    h('div', { class: 'tools' }, [
      h('input', {
        ...{
          type: 'search',
          'aria-label': 'Filter resources',
          placeholder: 'Name, type or id',
          value: filter,
        },
        onInput: (event: Event) => setQuery({ filter: (event.currentTarget as HTMLInputElement).value }),
      }),
      h(SearchField, {
        ...{ label: 'Find by property', placeholder: 'Property, value or KEY=VALUE' },
        value: query.value.get('property') ?? '',
        onSearch: (property: string) => setQuery({ property }),
      }),
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': shape === 'list',
          onClick: () => setQuery({ shape: shape === 'list' ? '' : 'list' }),
        },
        'Flat list',
      ),
      h(
        'span',
        { class: 'quiet', role: 'status' },
        shown.length === rows.length ? `${rows.length} resources` : `${shown.length} of ${rows.length}`,
      ),
    ]),
    h(VirtualRows<ResourceTreeRow>, {
      ...{ label: 'Resources', rows: shown, selected },
      keyOf: ({ row }) => (row.delete === true ? `${row.urn} ${row.id ?? ''}` : row.urn),
      levelOf: ({ depth }) => depth,
      isOpen: ({ children, isOpen }) => (children > 0 ? isOpen : undefined),
      onSelect: ({ row }) => setQuery({ urn: row.urn }),
      onToggle: toggle,
      depends: [],
      render: (row) => h(ResourceLine, { row, onToggle: () => toggle(row, !row.isOpen) }),
    }),
  ]);
}

function ResourceLine({
  row: { row, depth, children, isOpen },
  onToggle,
}: {
  readonly row: ResourceTreeRow;
  readonly onToggle: () => void;
}): VNode {
  const { name, type } = nameOfResource(row.urn);
  return h('span', { class: 'resource-line', style: { paddingLeft: `${Math.min(depth, 20) * 16}px` } }, [
    h(
      'span',
      {
        class: 'twist',
        'aria-hidden': true,
        onClick: (event: Event) => {
          event.stopPropagation();
          onToggle();
        },
      },
      children === 0 ? '' : isOpen ? '▾' : '▸',
    ),
    h('span', { class: 'resource-name' }, h(Name, { text: name })),
    h('span', { class: 'quiet resource-type' }, h(Name, { text: type })),
    row.protect === true ? h(Badge, { tone: 'same', text: 'protected' }) : null,
    row.delete === true ? h(Badge, { tone: 'delete', text: 'to be deleted' }) : null,
    row.external === true ? h(Badge, { tone: 'same', text: 'read only' }) : null,
    row.taint === true ? h(Badge, { tone: 'doubt', text: 'tainted' }) : null,
  ]);
}
