import type { VNode } from 'preact';
import type { AuditLogEvent, MemberAnswer, TokenAnswer } from '@cairn/http-api';
import { useLoaded } from '../../api/loaded.js';
import { Empty, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { useTitle } from '../../parts/layout.js';
import { h } from '../../parts/h.js';

/** Members of an organization, its tokens and its audit log. Administrators see all of it. */
export function Organization({ org }: { readonly org: string }): VNode {
  useTitle(org);
  const at = `/api/orgs/${encodeURIComponent(org)}`;
  return h('div', null, [
    h('h1', null, h(Name, { text: org })),
    h(Section<{ readonly members: readonly MemberAnswer[] }>, {
      ...{ title: 'Members', path: `${at}/members`, what: 'list the members' },
      rows: ({ members }) => members.map(({ user, role }) => [h(Name, { text: user.githubLogin }), role]),
      ...{ head: ['User', 'Role'], command: `cairn serve member add NAME --org ${org}` },
    }),
    h(Section<{ readonly tokens: readonly TokenAnswer[] }>, {
      ...{ title: 'Tokens', path: `${at}/tokens`, what: 'list the tokens' },
      rows: ({ tokens }) =>
        tokens.map(({ name, kind, role, createdBy, expires, lastUsed }) => [
          ...[h(Name, { text: name }), kind, role, h(Name, { text: createdBy })],
          lastUsed === 0 ? 'never' : h(Time, { ms: lastUsed * 1000 }),
          expires === 0 ? 'never' : new Date(expires * 1000).toLocaleString(),
        ]),
      ...{
        head: ['Name', 'Kind', 'Role', 'Made by', 'Last used', 'Ends'],
        command: `cairn serve token new NAME --org ${org}`,
      },
    }),
    h(Section<{ readonly auditLogEvents: readonly AuditLogEvent[] }>, {
      ...{ title: 'Audit log', path: `${at}/auditlogs`, what: 'read the audit log' },
      rows: ({ auditLogEvents }) =>
        auditLogEvents.map(({ timestamp, description, user, sourceIP }) => [
          h(Time, { ms: timestamp * 1000 }),
          h(Name, { text: user.githubLogin }),
          h(Name, { text: description }),
          sourceIP,
        ]),
      ...{ head: ['When', 'Who', 'What', 'From'], command: 'cairn serve audit verify' },
    }),
  ]);
}

interface SectionProps<T> {
  readonly title: string;
  readonly path: string;
  readonly what: string;
  readonly head: readonly string[];
  readonly rows: (answer: T) => readonly (readonly (VNode | string)[])[];
  readonly command: string;
}

function Section<T>({ title, path, what, head, rows, command }: SectionProps<T>): VNode {
  const { loaded } = useLoaded<T>(path);
  const { value, failure } = loaded.value;
  const lines = value === undefined ? [] : rows(value);
  return h('section', { 'aria-label': title }, [
    h('h2', null, title),
    failure === undefined ? null : h(Failure, { failure, what }),
    value === undefined && failure === undefined ? h(Waiting, { what: title.toLowerCase() }) : null,
    value !== undefined && lines.length === 0 ? h(Empty, { text: 'There are none.', command }) : null,
    lines.length === 0
      ? null
      : h('div', { class: 'scroll', role: 'region', 'aria-label': title, tabIndex: 0 }, [
          h('table', { class: 'list' }, [
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                head.map((text) => h('th', { scope: 'col' }, text)),
              ),
            ),
            h(
              'tbody',
              null,
              lines.map((cells, row) =>
                h(
                  'tr',
                  { key: row },
                  cells.map((cell, column) => h('td', { key: column }, cell)),
                ),
              ),
            ),
          ]),
        ]),
  ]);
}
