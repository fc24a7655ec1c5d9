import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { h } from './h.js';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Text that is searched for. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** Field that searches when its text is complete: at Enter, or when the focus leaves. It stays when a page renders. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);
  return h('input', {
    ...{ ref: field, type: 'search', 'aria-label': label, placeholder },
    onChange: (event: Event) => onSearch((event.currentTarget as HTMLInputElement).value.trim()),
  });
}
