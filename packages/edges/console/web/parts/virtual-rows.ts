import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { h } from './h.js';

/** Height of a row in pixels; `style.css` has the same. */
const ROW = 30;
/** Rows beyond both ends of what is seen. */
const MARGIN = 8;

interface RowsProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  /** Returns the text by which a row is known. It stays when rows come and go. */
  readonly keyOf: (row: T) => string;
  readonly render: (row: T) => ComponentChildren;
  readonly levelOf?: (row: T) => number;
  /** Undefined for a row that cannot be opened. */
  readonly isOpen?: (row: T) => boolean | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (row: T) => void;
  readonly onToggle?: (row: T, open: boolean) => void;
}

/** Rows of which only those that are seen are in the page. Arrows, Home, End and Page walk; Enter selects. */
export function VirtualRows<T>(props: RowsProps<T>): VNode {
  const { rows, keyOf, label, selected } = props;
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const active = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => (height.value = current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top.value / ROW) - MARGIN);
  const last = Math.min(rows.length, Math.ceil((top.value + height.value) / ROW) + MARGIN);
  const at = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === (active.value ?? selected)),
  );
  const isTree = props.onToggle !== undefined;
  const move = (to: number): void => {
    const index = Math.min(rows.length - 1, Math.max(0, to));
    const row = rows[index];
    if (row === undefined || box.current === null) return;
    active.value = keyOf(row);
    const { scrollTop, clientHeight } = box.current;
    if (index * ROW < scrollTop) box.current.scrollTop = index * ROW;
    else if ((index + 1) * ROW > scrollTop + clientHeight)
      box.current.scrollTop = (index + 1) * ROW - clientHeight;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    const page = Math.max(1, Math.floor(height.value / ROW) - 1);
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(active.value === undefined ? at : at + 1),
      ArrowUp: () => move(at - 1),
      PageDown: () => move(at + page),
      PageUp: () => move(at - page),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      Enter: () => row !== undefined && props.onSelect(row),
      ' ': () => row !== undefined && props.onSelect(row),
      ArrowRight: () => row !== undefined && props.onToggle?.(row, true),
      ArrowLeft: () => row !== undefined && props.onToggle?.(row, false),
    };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };
  const current = rows[at];
  return h(
    'div',
    {
      ...{ ref: box, class: 'rows', role: isTree ? 'tree' : 'listbox', tabIndex: 0, 'aria-label': label },
      ...(current !== undefined &&
        at >= first &&
        at < last && { 'aria-activedescendant': idOf(keyOf(current)) }),
      onScroll: (event: Event) => (top.value = (event.currentTarget as HTMLDivElement).scrollTop),
      onKeyDown,
    },
    h(
      'div',
      { class: 'rows-inner', role: 'presentation', style: { height: `${rows.length * ROW}px` } },
      rows.slice(first, last).map((row, index) => {
        const key = keyOf(row);
        const open = props.isOpen?.(row);
        return h(
          'div',
          {
            ...{ key, id: idOf(key), class: `row${first + index === at ? ' row-active' : ''}` },
            ...{ role: isTree ? 'treeitem' : 'option', style: { top: `${(first + index) * ROW}px` } },
            ...{
              'aria-selected': key === selected,
              'aria-setsize': rows.length,
              'aria-posinset': first + index + 1,
            },
            ...(isTree && { 'aria-level': (props.levelOf?.(row) ?? 0) + 1 }),
            ...(open !== undefined && { 'aria-expanded': open }),
            onClick: () => {
              active.value = key;
              props.onSelect(row);
            },
          },
          props.render(row),
        );
      }),
    ),
  );
}

/** Returns an id for an element from any text. */
function idOf(key: string): string {
  let hash = 5381;
  for (let at = 0; at < key.length; at += 1) hash = (hash * 33 + key.charCodeAt(at)) >>> 0;
  return `row-${hash.toString(36)}-${key.length}`;
}
