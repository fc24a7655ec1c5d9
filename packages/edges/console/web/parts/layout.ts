import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { ConsoleSessionAnswer } from '@cairn/http-api';
import { base } from '../api/base.js';
import { announcement } from '../api/clock.js';
import { stackAddress, view } from '../api/router.js';
import type { StackName } from '../api/client.js';
import { leave } from '../api/session.js';
import { connection } from '../api/stream.js';
import { Name } from './basics.js';
import { h } from './h.js';

/** Frame of every view: where the user is, who it is, and whether the page still hears the service. */
export function Layout({
  session,
  children,
}: {
  readonly session: ConsoleSessionAnswer;
  readonly children: ComponentChildren;
}): VNode {
  const current = view.value;
  return h('div', { class: 'frame' }, [
    h('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
    h('header', { class: 'top' }, [
      h('nav', { 'aria-label': 'Console' }, [
        h(
          'a',
          {
            href: `${base}/`,
            class: 'brand',
            ...(current.t === 'stacks' && { 'aria-current': 'page' as const }),
          },
          'Cairn',
        ),
        ...session.organizations.map((org) =>
          h(
            'a',
            {
              ...{ key: org, href: `${base}/o/${encodeURIComponent(org)}` },
              ...(current.t === 'organization' && current.org === org && { 'aria-current': 'page' as const }),
            },
            h(Name, { text: org }),
          ),
        ),
      ]),
      h('div', { class: 'who' }, [
        session.password
          ? h(
              'a',
              {
                ...{ href: `${base}/enter/password`, title: 'Change the password' },
                ...(current.t === 'password' && { 'aria-current': 'page' as const }),
              },
              h(Name, { text: session.user }),
            )
          : h('span', { class: 'quiet' }, h(Name, { text: session.user })),
        h('button', { type: 'button', class: 'small', onClick: leave }, 'Log out'),
      ]),
    ]),
    connection.value === 'lost'
      ? h(
          'p',
          { class: 'lost', role: 'status' },
          'The connection to the service is lost. The page connects again by itself.',
        )
      : null,
    h('main', { id: 'main', tabIndex: -1 }, children),
    h('div', { class: 'heard', 'aria-live': 'polite', role: 'status' }, announcement.value),
  ]);
}

const PAGES = [
  { page: '', text: 'Overview' },
  { page: 'resources', text: 'Resources' },
  { page: 'graph', text: 'Graph' },
  { page: 'changes', text: 'Changes' },
  { page: 'previews', text: 'Plans' },
  { page: 'runs', text: 'Runs' },
  { page: 'drift', text: 'Drift' },
  { page: 'history', text: 'History' },
  { page: 'doubts', text: 'In doubt' },
  { page: 'settings', text: 'Settings' },
] as const;

/** Heading of the pages of a stack, with links between them. */
export function StackHead({
  name,
  page,
  doubts,
}: {
  readonly name: StackName;
  readonly page: string;
  readonly doubts?: number;
}): VNode {
  return h('div', { class: 'stack-head' }, [
    h('h1', null, [
      h('span', { class: 'quiet' }, [h(Name, { text: name.project }), ' / ']),
      h(Name, { text: name.stack }),
    ]),
    h(
      'nav',
      { class: 'tabs', 'aria-label': 'Stack' },
      PAGES.map((each) =>
        h(
          'a',
          {
            key: each.page,
            href: stackAddress(name, each.page),
            ...(each.page === page && { 'aria-current': 'page' as const }),
          },
          each.page === 'doubts' && (doubts ?? 0) > 0 ? `${each.text} (${doubts})` : each.text,
        ),
      ),
    ),
  ]);
}

/** Sets the title of the window with the view that it belongs to. */
export function useTitle(text: string): void {
  useLayoutEffect(() => {
    document.title = text === '' ? 'Cairn' : `${text} – Cairn`;
  }, [text]);
}
