import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import { isNewNotice, runOfNotice } from '../../../src/model/notices.js';
import type { ShownNotice } from '../../../src/model/notices.js';
import { call } from '../../api/client.js';
import { serviceAddress } from '../../api/base.js';
import { useLoaded } from '../../api/loaded.js';
import { stackAddress } from '../../api/router.js';
import { useAction } from '../../parts/action.js';
import { Empty, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { Check, rowButton } from '../../parts/fields.js';
import { Table } from '../../parts/table.js';
import { h } from '../../parts/h.js';

interface NoticesProps {
  /** Path of the organization. */
  readonly at: string;
  readonly mayWrite: boolean;
}

/** Notices of the agents of an organization. One that a person has acknowledged is new again when it is repeated. */
export function Notices({ at, mayWrite }: NoticesProps): VNode {
  const { loaded, reload } = useLoaded<{ readonly notices: readonly ShownNotice[] }>(`${at}/notices`);
  const { value, failure: unread } = loaded.value;
  const { failure, run } = useAction();
  const isAll = useSignal(false);
  const shown = (value?.notices ?? []).filter((notice) => isAll.value || isNewNotice(notice)).reverse();
  const acknowledge = ({ type, key }: ShownNotice): Promise<unknown> =>
    call('POST', `${at}/notices/acknowledge`, { type, key });
  return h('section', { 'aria-label': 'Notices' }, [
    h('h2', null, 'Notices'),
    unread === undefined ? null : h(Failure, { failure: unread, what: 'list the notices' }),
    value === undefined && unread === undefined ? h(Waiting, { what: 'the notices' }) : null,
    (value?.notices.length ?? 0) === 0 ? null : h(Check, { label: 'Acknowledged ones too', isOn: isAll }),
    value !== undefined && shown.length === 0
      ? h(Empty, {
          text: 'There are no new notices.',
          command: `cairn agent notices --service ${serviceAddress}`,
        })
      : null,
    shown.length === 0
      ? null
      : h(Table, {
          label: 'Notices: rows',
          head: ['Notice', 'About', 'Times', 'First', 'Last', 'Seen'],
          rows: shown.map((notice) => [
            h('span', null, [
              h(Name, { text: notice.type }),
              h('span', { class: 'quiet' }, [' ', h(Name, { text: dataText(notice) })]),
            ]),
            h(About, { notice }),
            String(notice.occurrences),
            h(Time, { ms: Date.parse(notice['first-occurred']) }),
            h(Time, { ms: Date.parse(notice['last-repeated']) }),
            isNewNotice(notice)
              ? mayWrite
                ? rowButton(
                    'Acknowledge',
                    `${notice.type} ${notice.key}`,
                    () => void run(() => acknowledge(notice), reload),
                  )
                : 'not yet'
              : h('span', { class: 'quiet' }, ['seen by ', h(Name, { text: notice.acknowledged?.by ?? '' })]),
          ]),
        }),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'acknowledge it' }),
  ]);
}

/** Subject of a notice, as a link if that is a run. */
function About({ notice }: { readonly notice: ShownNotice }): VNode {
  const run = runOfNotice(notice);
  const text = h(Name, { text: notice.key });
  return run === undefined ? text : h('a', { href: stackAddress(run.name, `runs/${run.number}`) }, text);
}

/** Returns the facts of a notice. The address of its page is a link of the row already. */
function dataText(notice: ShownNotice): string {
  return Object.entries(notice['last-data'] ?? {})
    .filter(([name]) => name !== 'page')
    .map((pair) => pair.join(': '))
    .join(', ');
}
