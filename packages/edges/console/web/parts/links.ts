import type { VNode } from 'preact';
import type { WebLink } from '../../src/model/web-links.js';
import { h } from './h.js';

/** Links to other sites. Each names the host that a click opens, in a tab that knows nothing of this page. */
export function Links({ links }: { readonly links: readonly WebLink[] }): VNode | null {
  if (links.length === 0) return null;
  return h(
    'span',
    { class: 'links' },
    links.map(({ href, host }) =>
      h('a', { key: href, href, title: href, target: '_blank', rel: 'noopener noreferrer' }, `Open ${host}`),
    ),
  );
}
