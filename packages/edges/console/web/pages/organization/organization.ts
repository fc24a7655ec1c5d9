import { Fragment } from 'preact';
import type { VNode } from 'preact';
import type { MemberAnswer, RoleAnswer, TokenAnswer } from '@cairn/http-api';
import { call } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { session } from '../../api/session.js';
import { Empty, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { useTitle } from '../../parts/layout.js';
import { RemoveButton } from '../../parts/remove.js';
import { Table } from '../../parts/table.js';
import { Hooks } from '../settings/hooks.js';
import { NewGrant, NewRole, NewTrust } from './access-forms.js';
import { AgentList } from './agents.js';
import { AuditLog } from './audit-log.js';
import { NewToken } from './new-token.js';
import { Notices } from './notices.js';
import { h } from '../../parts/h.js';

/** Members of an organization, its tokens and its audit log. Administrators see all of it. */
export function Organization({ org }: { readonly org: string }): VNode {
  useTitle(org);
  const at = `/api/orgs/${encodeURIComponent(org)}`;
  const members = useLoaded<{ readonly members: readonly MemberAnswer[] }>(`${at}/members`);
  const tokens = useLoaded<{ readonly tokens: readonly TokenAnswer[] }>(`${at}/tokens`);
  const me = session.value;
  const mayWrite = typeof me === 'object' && me.writes.includes(org);
  return h('div', null, [
    h('h1', null, h(Name, { text: org })),
    h(Section<{ readonly members: readonly MemberAnswer[] }>, {
      ...{ title: 'Members', source: members, what: 'list the members' },
      rows: (answer) => answer.members.map(({ user, role }) => [h(Name, { text: user.githubLogin }), role]),
      ...{ head: ['User', 'Role'], command: `cairn serve user set NAME --org ${org}` },
    }),
    h(Section<{ readonly tokens: readonly TokenAnswer[] }>, {
      ...{ title: 'Tokens', source: tokens, what: 'list the tokens' },
      rows: (answer) =>
        answer.tokens.map(({ name, kind, role, createdBy, expires, lastUsed }) => [
          ...[h(Name, { text: name }), kind, role, h(Name, { text: createdBy })],
          lastUsed === 0 ? 'never' : h(Time, { ms: lastUsed * 1000 }),
          expires === 0 ? 'never' : h(Time, { ms: expires * 1000, isAhead: true }),
        ]),
      ...{
        head: ['Name', 'Kind', 'Role', 'Made by', 'Last used', 'Ends'],
        command: `cairn serve token new NAME --org ${org}`,
      },
      more: () => h(NewToken, { at, onMade: tokens.reload }),
    }),
    h(Access, { at }),
    h(AgentList, { at, mayWrite }),
    h(Notices, { at, mayWrite }),
    h(Hooks, { at: `${at}/hooks` }),
    h(AuditLog, { at }),
  ]);
}

/** Roles, grants and trusted issuers. Those who may see the grants make and remove all three. */
function Access({ at }: { readonly at: string }): VNode {
  const roles = useLoaded<{ readonly roles: readonly RoleAnswer[] }>(`${at}/roles`);
  const grants = useLoaded<{ readonly grants: readonly GrantRow[] }>(`${at}/grants`);
  const trusts = useLoaded<{ readonly trusts: readonly TrustRow[] }>(`${at}/trusts`);
  const mayEdit = grants.loaded.value.value !== undefined;
  const remove = (about: string, effect: string, path: string, onDone: () => void): VNode =>
    h(RemoveButton, { about, effect, run: () => call('DELETE', `${at}/${path}`), onDone });
  return h(Fragment as () => VNode, {}, [
    h(Section<{ readonly roles: readonly RoleAnswer[] }>, {
      ...{ title: 'Roles', source: roles, what: 'list the roles' },
      rows: (answer) =>
        answer.roles.map(({ id, name, description = '', modified }) => {
          // Roles that the service has of itself have no time, and stay.
          const changedMs = Date.parse(modified) || undefined;
          const effect = 'A role that someone has is not removed.';
          const removal =
            changedMs === undefined
              ? ''
              : remove(`role ${name}`, effect, `roles/${encodeURIComponent(id)}`, roles.reload);
          return [
            ...[h(Name, { text: name }), id, h(Name, { text: description }), h(Time, { ms: changedMs })],
            ...(mayEdit ? [removal] : []),
          ];
        }),
      ...{
        head: ['Name', 'Id', 'Description', 'Changed', ...(mayEdit ? ['Remove'] : [])],
        command: 'cairn serve --help',
      },
      more: () => (mayEdit ? h(NewRole, { at, onMade: roles.reload }) : null),
    }),
    h(Section<{ readonly grants: readonly GrantRow[] }>, {
      ...{ title: 'Grants', source: grants, what: 'list the grants' },
      rows: (answer) =>
        answer.grants.map(({ id, to, role, stacks, tag }) => [
          ...[h(Name, { text: to }), role, h(Name, { text: stacks ?? 'all' }), h(Name, { text: tag ?? '' })],
          remove(`grant to ${to}`, 'It counts no more from the next call on.', `grants/${id}`, grants.reload),
        ]),
      ...{ head: ['To', 'Role', 'Stacks', 'Tag', 'Remove'], command: 'cairn serve grant new' },
      more: () => h(NewGrant, { at, onMade: grants.reload, roles: roles.loaded.value.value?.roles ?? [] }),
    }),
    h(Section<{ readonly trusts: readonly TrustRow[] }>, {
      ...{ title: 'Trusted issuers', source: trusts, what: 'list the trusted issuers' },
      rows: (answer) =>
        answer.trusts.map(({ id, name, issuer, claims, to, role }) => [
          ...[h(Name, { text: name }), h(Name, { text: issuer }), h(Name, { text: claimsText(claims) })],
          ...[h(Name, { text: to }), role],
          remove(`trust ${name}`, 'Its jobs get no more tokens.', `trusts/${id}`, trusts.reload),
        ]),
      ...{ head: ['Name', 'Issuer', 'Claims', 'For', 'Role', 'Remove'], command: 'cairn serve trust new' },
      more: () => h(NewTrust, { at, onMade: trusts.reload }),
    }),
  ]);
}

interface SectionProps<T> {
  readonly title: string;
  readonly source: ReturnType<typeof useLoaded<T>>;
  readonly what: string;
  readonly head: readonly string[];
  readonly rows: (answer: T) => readonly (readonly (VNode | string)[])[];
  readonly command: string;
  /** Returns what is below the rows, for those who may see them. */
  readonly more?: () => VNode | null;
}

/** Grant of a role, as the service lists it. */
interface GrantRow {
  readonly id: string;
  readonly to: string;
  readonly role: string;
  readonly stacks?: string;
  readonly tag?: string;
}

/** Trust in an issuer of tokens, as the service lists it. */
interface TrustRow {
  readonly id: string;
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

function Section<T>({ title, source, what, head, rows, command, more }: SectionProps<T>): VNode {
  const { value, failure } = source.loaded.value;
  const lines = value === undefined ? [] : rows(value);
  return h('section', { 'aria-label': title }, [
    h('h2', null, title),
    failure === undefined ? null : h(Failure, { failure, what }),
    value === undefined && failure === undefined ? h(Waiting, { what: title.toLowerCase() }) : null,
    value !== undefined && lines.length === 0 ? h(Empty, { text: 'There are none.', command }) : null,
    lines.length === 0 ? null : h(Table, { label: `${title}: rows`, head, rows: lines }),
    value === undefined || more === undefined ? null : more(),
  ]);
}
