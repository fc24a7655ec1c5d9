import type { VNode } from 'preact';
import type { MemberAnswer, RoleAnswer, TokenAnswer } from '@cairn/http-api';
import { useLoaded } from '../../api/loaded.js';
import { Empty, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { useTitle } from '../../parts/layout.js';
import { AuditLog } from './audit-log.js';
import { NewToken } from './new-token.js';
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
      more: (reload) => h(NewToken, { at, onMade: reload }),
    }),
    h(Section<{ readonly roles: readonly RoleAnswer[] }>, {
      ...{ title: 'Roles', path: `${at}/roles`, what: 'list the roles' },
      rows: ({ roles }) =>
        roles.map(({ id, name, description = '', modified }) => [
          ...[h(Name, { text: name }), id, h(Name, { text: description })],
          h(Time, { ms: Date.parse(modified) }),
        ]),
      ...{ head: ['Name', 'Id', 'Description', 'Changed'], command: `cairn serve role --help` },
    }),
    h(Section<{ readonly grants: readonly GrantRow[] }>, {
      ...{ title: 'Grants', path: `${at}/grants`, what: 'list the grants' },
      rows: ({ grants }) =>
        grants.map(({ to, role, stacks, tag }) => [
          ...[h(Name, { text: to }), role, h(Name, { text: stacks ?? 'all' }), h(Name, { text: tag ?? '' })],
        ]),
      ...{ head: ['To', 'Role', 'Stacks', 'Tag'], command: `cairn serve grant --help` },
    }),
    h(Section<{ readonly trusts: readonly TrustRow[] }>, {
      ...{ title: 'Trusted issuers', path: `${at}/trusts`, what: 'list the trusted issuers' },
      rows: ({ trusts }) =>
        trusts.map(({ name, issuer, claims, to, role }) => [
          ...[h(Name, { text: name }), h(Name, { text: issuer }), h(Name, { text: claimsText(claims) })],
          ...[h(Name, { text: to }), role],
        ]),
      ...{ head: ['Name', 'Issuer', 'Claims', 'For', 'Role'], command: `cairn serve trust --help` },
    }),
    h(AuditLog, { at }),
  ]);
}

interface SectionProps<T> {
  readonly title: string;
  readonly path: string;
  readonly what: string;
  readonly head: readonly string[];
  readonly rows: (answer: T) => readonly (readonly (VNode | string)[])[];
  readonly command: string;
  /** Returns what is below the rows, for those who may see them. */
  readonly more?: (reload: () => void) => VNode;
}

/** Grant of a role, as the service lists it. */
interface GrantRow {
  readonly to: string;
  readonly role: string;
  readonly stacks?: string;
  readonly tag?: string;
}

/** Trust in an issuer of tokens, as the service lists it. */
interface TrustRow {
  readonly name: string;
  readonly issuer: string;
  readonly claims: Readonly<Record<string, string>>;
  readonly to: string;
  readonly role: string;
}

function claimsText(claims: TrustRow['claims']): string {
  return Object.entries(claims)
    .map(([key, pattern]) => `${key}=${pattern}`)
    .join(', ');
}

function Section<T>({ title, path, what, head, rows, command, more }: SectionProps<T>): VNode {
  const { loaded, reload } = useLoaded<T>(path);
  const { value, failure } = loaded.value;
  const lines = value === undefined ? [] : rows(value);
  return h('section', { 'aria-label': title }, [
    h('h2', null, title),
    failure === undefined ? null : h(Failure, { failure, what }),
    value === undefined && failure === undefined ? h(Waiting, { what: title.toLowerCase() }) : null,
    value !== undefined && lines.length === 0 ? h(Empty, { text: 'There are none.', command }) : null,
    lines.length === 0
      ? null
      : h('div', { class: 'scroll', role: 'region', 'aria-label': `${title}: rows`, tabIndex: 0 }, [
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
    value === undefined || more === undefined ? null : more(reload),
  ]);
}
