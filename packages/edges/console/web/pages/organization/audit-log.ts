import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { AuditLogEvent } from '@cairn/http-api';
import { base } from '../../api/base.js';
import { useLoaded } from '../../api/loaded.js';
import { query, setQuery } from '../../api/router.js';
import { Empty, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { h } from '../../parts/h.js';
import { SearchField } from '../../parts/search-field.js';

interface AuditAnswer {
  readonly auditLogEvents: readonly AuditLogEvent[];
  readonly continuationToken?: string;
}

/** Audit log of an organization, by user and kind of event, and as a file. */
export function AuditLog({ at }: { readonly at: string }): VNode {
  const user = query.value.get('user') ?? '';
  const event = query.value.get('event') ?? '';
  const page = useSignal('');
  const filter = { ...(user !== '' && { user }), ...(event !== '' && { eventType: event }) };
  const search = new URLSearchParams({
    ...filter,
    ...(page.value !== '' && { continuationToken: page.value }),
  });
  const { loaded } = useLoaded<AuditAnswer>(`${at}/auditlogs?${search}`);
  const { value, failure } = loaded.value;
  const input = (key: string, label: string, text: string): VNode =>
    h(SearchField, {
      ...{ label, placeholder: label, value: text },
      onSearch: (found: string) => {
        page.value = '';
        setQuery({ [key]: found });
      },
    });
  return h('section', { 'aria-label': 'Audit log' }, [
    h('h2', null, 'Audit log'),
    h('div', { class: 'tools' }, [
      input('user', 'User of the audit log', user),
      input('event', 'Event of the audit log', event),
      ...(['csv', 'cef'] as const).map((format) =>
        h(
          'a',
          {
            key: format,
            ...{
              href: `${base}${at}/auditlogs/export?${new URLSearchParams({ ...filter, format })}`,
              target: '_blank',
            },
            ...{ download: `audit.${format}`, rel: 'noopener' },
          },
          `Export as ${format.toUpperCase()}`,
        ),
      ),
    ]),
    failure === undefined ? null : h(Failure, { failure, what: 'read the audit log' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the audit log' }) : null,
    value?.auditLogEvents.length === 0
      ? h(Empty, { text: 'There are none.', command: 'cairn serve audit verify' })
      : null,
    (value?.auditLogEvents.length ?? 0) === 0
      ? null
      : h('div', { class: 'scroll', role: 'region', 'aria-label': 'Audit rows', tabIndex: 0 }, [
          h('table', { class: 'list' }, [
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                ['When', 'Who', 'Event', 'What', 'Token', 'From'].map((text) =>
                  h('th', { scope: 'col' }, text),
                ),
              ),
            ),
            h(
              'tbody',
              null,
              (value?.auditLogEvents ?? []).map((row, index) =>
                h('tr', { key: `${row.timestamp} ${index}` }, [
                  h('td', null, h(Time, { ms: row.timestamp * 1000 })),
                  h('td', null, h(Name, { text: row.user.githubLogin })),
                  h('td', null, row.event),
                  h('td', null, h(Name, { text: row.description })),
                  h('td', null, h(Name, { text: row.tokenName ?? '' })),
                  h('td', null, row.sourceIP),
                ]),
              ),
            ),
          ]),
        ]),
    value?.continuationToken === undefined
      ? null
      : h(
          'button',
          { type: 'button', onClick: () => (page.value = value.continuationToken ?? '') },
          'Older rows',
        ),
  ]);
}
