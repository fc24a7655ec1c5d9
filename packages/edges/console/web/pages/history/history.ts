import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { ConsoleChangeRow, ConsolePreviewsAnswer, UpdateInfo } from '@cairn/http-api';
import { secondsText } from '../../../src/model/times.js';
import { changeOfVersion, versionAuthor } from '../../../src/model/version-author.js';
import { apiCall, stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { query, setQuery, stackAddress } from '../../api/router.js';
import { Badge, Empty, Failure, Name, Time, Waiting, toneOfResult } from '../../parts/basics.js';
import { Choice } from '../../parts/fields.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { Compare } from './compare.js';
import { h } from '../../parts/h.js';

/** Rows of one page of the history. */
const PAGE = 50;

/** Versions of a stack, of which any two can be compared. */
export function History({ name, loaded: { value: stack } }: StackPageProps): VNode {
  useTitle(`History of ${name.project}/${name.stack}`);
  const page = useSignal(1);
  const search = `?pageSize=${PAGE}&page=${page.value}`;
  // The number of the newest version is part of the address, so that a new one is loaded.
  const path = stack === undefined ? undefined : apiCall(name, `/updates${search}&newest=${stack.version}`);
  const { loaded } = useLoaded<{ readonly updates: readonly UpdateInfo[] }>(path);
  const { value, failure } = loaded.value;
  const from = query.value.get('from') ?? '';
  const to = query.value.get('to') ?? '';
  const other = query.value.get('with') ?? '';
  const plan = query.value.get('plan') ?? '';
  const { loaded: previews } = useLoaded<ConsolePreviewsAnswer>(
    stack === undefined ? undefined : stackCall(name, `/previews?newest=${stack.version}`),
  );
  return h('div', null, [
    h(StackHead, { name, page: 'history', doubts: stack?.doubts.length ?? 0 }),
    failure === undefined ? null : h(Failure, { failure, what: 'list the versions' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the history' }) : null,
    value?.updates.length === 0
      ? h(Empty, { text: 'The stack has no versions yet.', command: 'cairn up' })
      : null,
    (value?.updates.length ?? 0) > 0
      ? h(Versions, { name, updates: value?.updates ?? [], from, to, changes: stack?.changes ?? [] })
      : null,
    h('div', { class: 'actions' }, [
      page.value > 1
        ? h('button', { type: 'button', onClick: () => (page.value -= 1) }, 'Newer versions')
        : null,
      value?.updates.length === PAGE
        ? h('button', { type: 'button', onClick: () => (page.value += 1) }, 'Older versions')
        : null,
    ]),
    h('div', { class: 'tools' }, [
      h('input', {
        ...{ type: 'search', 'aria-label': 'Other stack', placeholder: 'Other stack: ORG/PROJECT/STACK' },
        value: other,
        onChange: (event: Event) =>
          setQuery({ with: (event.currentTarget as HTMLInputElement).value.trim(), plan: '' }),
      }),
      h(Choice, {
        ...{ label: 'Preview', value: plan },
        options: [
          ['', 'No preview'],
          ...(previews.value.value?.previews ?? []).map(
            ({ id, kind, by, message }) => [id, `${kind} by ${by} ${message.split('\n', 1)[0]}`] as const,
          ),
        ],
        onChoose: (id: string) => setQuery({ plan: id, with: '', to: '' }),
      }),
    ]),
    from === '' || (to === '' && other === '' && plan === '')
      ? h(
          'p',
          { class: 'quiet' },
          'Choose two versions to compare them, or one version and another stack, of which the newest is taken, or the result of a preview.',
        )
      : h(Compare, {
          key: `${from} ${to} ${other} ${plan}`,
          ...{ name, from, to: other === '' && plan === '' ? to : '', other, plan },
        }),
  ]);
}

interface VersionsProps {
  readonly name: StackName;
  readonly updates: readonly UpdateInfo[];
  readonly from: string;
  readonly to: string;
  /** Changes of the stack, which say who made the versions. */
  readonly changes: readonly ConsoleChangeRow[];
}

/** Number of a version, with a link to the change that made it. */
function VersionNumber({
  name,
  info,
  changes,
}: Pick<VersionsProps, 'name' | 'changes'> & { readonly info: UpdateInfo }): VNode {
  const change = changeOfVersion(info, changes);
  const text = String(info.version);
  if (change === undefined) return h('span', null, text);
  return h('a', { href: stackAddress(name, `changes/${change.number}`) }, text);
}

function Versions({ name, updates, from, to, changes }: VersionsProps): VNode {
  const choice = (column: 'from' | 'to', version: string): VNode =>
    h('input', {
      ...{
        type: 'radio',
        name: column,
        value: version,
        checked: (column === 'from' ? from : to) === version,
      },
      'aria-label': `Compare ${column} version ${version}`,
      onChange: () => setQuery({ [column]: version, ...(column === 'to' && { plan: '' }) }),
    });
  return h('div', { class: 'scroll', role: 'region', 'aria-label': 'Versions', tabIndex: 0 }, [
    h('table', { class: 'list' }, [
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ['From', 'To', 'Version', 'Operation', 'Took', 'Message', 'By', 'Begun'].map((text) =>
            h('th', { scope: 'col' }, text),
          ),
        ),
      ),
      h(
        'tbody',
        null,
        updates.map((info) => {
          const version = String(info.version);
          const kind = info.cairn?.kind ?? info.kind;
          return h('tr', { key: version }, [
            h('td', null, choice('from', version)),
            h('td', null, choice('to', version)),
            h('th', { scope: 'row', class: 'number' }, h(VersionNumber, { name, info, changes })),
            h(
              'td',
              null,
              h(Badge, {
                tone: toneOfResult(info.cairn?.result ?? info.result),
                text: `${kind} ${info.cairn?.result ?? info.result}`,
              }),
            ),
            h(
              'td',
              { class: 'number' },
              info.endTime >= info.startTime ? secondsText(info.endTime - info.startTime) : '',
            ),
            h('td', null, [
              h(Name, { text: info.message.split('\n', 1)[0] ?? '' }),
              info.environment['git.head'] === undefined
                ? null
                : h('code', { class: 'quiet' }, ` ${info.environment['git.head'].slice(0, 8)}`),
            ]),
            h('td', null, h(Name, { text: versionAuthor(info, changes) })),
            h('td', null, h(Time, { ms: info.startTime * 1000 })),
          ]);
        }),
      ),
    ]),
  ]);
}
