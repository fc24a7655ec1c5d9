import type { VNode } from 'preact';
import type { ConsoleChangeRow } from '@cairn/http-api';
import { resultLabel, changeTitle, continuesText } from '../../../src/model/change-words.js';
import type { StackName } from '../../api/client.js';
import { stackAddress } from '../../api/router.js';
import { Badge, Empty, Name, Time, toneOfResult } from '../../parts/basics.js';
import { h } from '../../parts/h.js';

/** Table of changes, newest first. Versions that an import or a client of Pulumi made have none. */
export function ChangeList({
  name,
  changes,
  hasVersions,
}: {
  readonly name: StackName;
  readonly changes: readonly ConsoleChangeRow[];
  readonly hasVersions: boolean;
}): VNode {
  if (changes.length === 0 && hasVersions)
    return h('p', { class: 'empty' }, [
      'No change is on record for the versions of this stack. ',
      h('a', { href: stackAddress(name, 'history') }, 'See its history'),
    ]);
  if (changes.length === 0)
    return h(Empty, { text: 'No operation has changed this stack.', command: 'cairn up' });
  return h('div', { class: 'scroll', role: 'region', 'aria-label': 'Changes', tabIndex: 0 }, [
    h('table', { class: 'list' }, [
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ['Change', 'Result', 'Tasks', 'By', 'Begun'].map((text) => h('th', { scope: 'col' }, text)),
        ),
      ),
      h(
        'tbody',
        null,
        changes.map((change) => h(ChangeLine, { key: change.number, name, change })),
      ),
    ]),
  ]);
}

function ChangeLine({
  name,
  change,
}: {
  readonly name: StackName;
  readonly change: ConsoleChangeRow;
}): VNode {
  const { number, operation, sealed, running } = change;
  const continued = continuesText(change);
  const { total = 0, doubt = 0, failed = 0 } = sealed?.tasks ?? {};
  return h('tr', null, [
    h('th', { scope: 'row' }, [
      h('a', { href: stackAddress(name, `changes/${number}`) }, [
        `${number}  `,
        h(Name, { text: changeTitle(change, name.stack) }),
      ]),
      continued === undefined ? null : h('span', { class: 'quiet' }, ` ${continued}`),
    ]),
    h(
      'td',
      null,
      h(Badge, {
        tone: running ? 'update' : toneOfResult(sealed?.result ?? 'interrupted'),
        text: resultLabel(change),
      }),
    ),
    h('td', { class: 'number' }, [
      String(total),
      failed > 0 ? h('span', { class: 'failed' }, `, ${failed} failed`) : null,
      doubt > 0 ? h('span', { class: 'doubtful' }, `, ${doubt} in doubt`) : null,
    ]),
    h('td', null, h(Name, { text: operation.username ?? '' })),
    h(
      'td',
      null,
      h(Time, { ms: operation.startTime === undefined ? undefined : operation.startTime * 1000 }),
    ),
  ]);
}
