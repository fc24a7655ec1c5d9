import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
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
  /**
   * Everything that `render` and `onSelect` use besides the row. With it, a row that is still the same object is not
   * rendered again. Without it, rows are rendered with every drawing.
   */
  readonly depends?: readonly unknown[];
  readonly selected: string | undefined;
  readonly onSelect: (row: T) => void;
  readonly onToggle?: (row: T, open: boolean) => void;
}

/** Row as it was rendered, and what it was rendered from. */
interface RenderedRow {
  readonly from: readonly unknown[];
  readonly node: VNode;
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
  const wanted = active.value ?? selected;
  const at = useMemo(
    () =>
      wanted === undefined
        ? 0
        : Math.max(
            0,
            rows.findIndex((row) => keyOf(row) === wanted),
          ),
    [rows, wanted],
  );
  const rendered = useRef<ReadonlyMap<string, RenderedRow>>(new Map());
  const shown = new Map<string, RenderedRow>();
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
  const nodeOf = (row: T, index: number): VNode => {
    const [key, isActive, open] = [keyOf(row), index === at, props.isOpen?.(row)];
    const from = [row, index, isActive, key === selected, open, rows.length, ...(props.depends ?? [])];
    const before = props.depends === undefined || shown.has(key) ? undefined : rendered.current.get(key);
    const isSame = before !== undefined && areSame(before.from, from);
    const onClick = (): void => {
      active.value = key;
      props.onSelect(row);
    };
    const node = isSame ? before.node : rowNode(props, row, { index, isActive, open, onClick });
    shown.set(key, { from, node });
    return node;
  };
  const nodes = rows.slice(first, last).map((row, index) => nodeOf(row, first + index));
  rendered.current = shown;
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
      nodes,
    ),
  );
}

interface RowPlace {
  /** Place among all rows. */
  readonly index: number;
  readonly isActive: boolean;
  readonly open: boolean | undefined;
  readonly onClick: () => void;
}

function rowNode<T>(
  { keyOf, rows, selected, levelOf, onToggle, render }: RowsProps<T>,
  row: T,
  { index, isActive, open, onClick }: RowPlace,
): VNode {
  const key = keyOf(row);
  const isTree = onToggle !== undefined;
  return h(
    'div',
    {
      ...{ key, id: idOf(key), class: `row${isActive ? ' row-active' : ''}` },
      ...{ role: isTree ? 'treeitem' : 'option', style: { top: `${index * ROW}px` } },
      ...{ 'aria-selected': key === selected, 'aria-setsize': rows.length, 'aria-posinset': index + 1 },
      ...(isTree && { 'aria-level': (levelOf?.(row) ?? 0) + 1 }),
      ...(open !== undefined && { 'aria-expanded': open }),
      onClick,
    },
    render(row),
  );
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}

/** Returns an id for an element from any text. */
function idOf(key: string): string {
  let hash = 5381;
  for (let at = 0; at < key.length; at += 1) hash = (hash * 33 + key.charCodeAt(at)) >>> 0;
  return `row-${hash.toString(36)}-${key.length}`;
}
