import type { VNode } from 'preact';
import { signal } from '@preact/signals';
import { setQuery } from '../../api/router.js';
import { Name } from '../../parts/basics.js';
import { h } from '../../parts/h.js';

const KEY = 'cairn-filters';
const MOST = 20;

const saved = signal<readonly string[]>(read());

/** Filters that this browser keeps: buttons that set one, save the present one, and remove it again. */
export function SavedFilters({ filter }: { readonly filter: string }): VNode | null {
  const isSaved = saved.value.includes(filter);
  if (filter === '' && saved.value.length === 0) return null;
  return h('div', { class: 'filters', role: 'group', 'aria-label': 'Saved filters' }, [
    ...saved.value.map((text) =>
      h(
        'button',
        {
          type: 'button',
          class: 'small',
          key: text,
          'aria-pressed': text === filter,
          onClick: () => setQuery({ filter: text === filter ? '' : text }),
        },
        h(Name, { text }),
      ),
    ),
    filter === ''
      ? null
      : h(
          'button',
          {
            type: 'button',
            class: 'small',
            onClick: () =>
              keep(isSaved ? saved.value.filter((each) => each !== filter) : [...saved.value, filter]),
          },
          isSaved ? 'Forget this filter' : 'Save this filter',
        ),
  ]);
}

function keep(filters: readonly string[]): void {
  saved.value = filters.slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(saved.value));
  } catch {
    // A browser that stores nothing keeps them until the page is left.
  }
}

function read(): readonly string[] {
  try {
    const texts: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(texts) ? texts.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
