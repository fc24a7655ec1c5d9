import { computed, signal } from '@preact/signals';
import { consolePath } from '@cairn/http-api/console';
import type { ConsolePage } from '@cairn/http-api/console';
import { base, isOwn, ownPath } from './base.js';
import type { StackName } from './client.js';

/** View that an address names. */
export type View =
  | { readonly t: 'stacks' }
  | { readonly t: 'enter' }
  | { readonly t: 'command' }
  | { readonly t: 'password' }
  | { readonly t: 'organization'; readonly org: string }
  | { readonly t: 'stack'; readonly name: StackName; readonly page: string; readonly rest: string }
  | { readonly t: 'nowhere' };

const address = signal(new URL(location.href));
addEventListener('popstate', () => (address.value = new URL(location.href)));

/** View of the current address. It stays the same object while only its query changes. */
export const view = computed<View>(() => viewOf(path.value));

/** Query of the current address. */
export const query = computed(() => address.value.searchParams);

const path = computed(() => ownPath(address.value.pathname));

/** Goes to an address of this page. */
export function go(to: string, { replace = false } = {}): void {
  const next = new URL(to, location.href);
  if (next.href === location.href) return;
  if (replace) history.replaceState(null, '', next);
  else history.pushState(null, '', next);
  const isOther = next.pathname !== address.value.pathname;
  address.value = next;
  if (isOther && !replace) scrollTo(0, 0);
}

/** Changes values of the query in place. An empty value is removed. */
export function setQuery(values: Readonly<Record<string, string>>): void {
  const next = new URL(location.href);
  for (const [key, value] of Object.entries(values))
    if (value === '') next.searchParams.delete(key);
    else next.searchParams.set(key, value);
  go(next.href, { replace: true });
}

/** Goes to the address of a link without loading it, unless the user wants another tab or window. */
export function followLink(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a');
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (
    link === null ||
    link === undefined ||
    !isPlain ||
    link.origin !== location.origin ||
    link.target !== ''
  )
    return;
  if (!isOwn(link.pathname) || /^\/(?:console\/|login\/|cli-login$)/.test(ownPath(link.pathname))) return;
  event.preventDefault();
  go(link.href);
}

/** Returns the address of a page of a stack. */
export function stackAddress({ org, project, stack }: StackName, page: ConsolePage = ''): string {
  return base + consolePath({ organization: org, project, stack }, page);
}

function viewOf(pathname: string): View {
  if (pathname === '/') return { t: 'stacks' };
  if (pathname === '/enter') return { t: 'enter' };
  if (pathname === '/enter/command') return { t: 'command' };
  if (pathname === '/enter/password') return { t: 'password' };
  const [, kind, ...parts] = pathname.split('/').map(decoded);
  const [org = '', project = '', stack = '', page = '', rest = ''] = parts;
  if (kind === 'o' && org !== '') return { t: 'organization', org };
  if (kind === 's' && stack !== '') return { t: 'stack', name: { org, project, stack }, page, rest };
  return { t: 'nowhere' };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
