import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { ConsoleStackRow, ConsoleStacksAnswer } from '@cairn/http-api';
import { AnswerOrder } from '../../../src/model/answer-order.js';
import { listShows, refreshedRows } from '../../../src/model/stack-rows.js';
import { ApiFailure, call } from '../../api/client.js';
import { AGAIN_MS, isPassing } from '../../api/loaded.js';
import { query, setQuery, stackAddress } from '../../api/router.js';
import { listen } from '../../api/stream.js';
import { Badge, Empty, Failure, Name, Time, Waiting, toneOfResult } from '../../parts/basics.js';
import { useTitle } from '../../parts/layout.js';
import { SavedFilters } from './saved-filters.js';
import { h } from '../../parts/h.js';

/** Time without a key after which the filter is sent, in milliseconds. */
const TYPING_MS = 150;

/** All stacks that the user may see. */
export function Stacks(): VNode {
  useTitle('Stacks');
  const rows = useSignal<readonly ConsoleStackRow[] | undefined>(undefined);
  const next = useSignal<string | null>(null);
  const failure = useSignal<ApiFailure | undefined>(undefined);
  const order = useRef(new AnswerOrder());
  const filter = query.value.get('filter') ?? '';
  /** Reads a page. Returns undefined if that fails, or if its answer is too late. */
  const read = async (after: string | undefined): Promise<ConsoleStacksAnswer | undefined> => {
    // Later pages are added to the list, in any order with a first page.
    const request = after === undefined ? order.current.begin() : undefined;
    // An answer is too late after another filter, or after the answer to a later call.
    const isLate = (): boolean =>
      (query.value.get('filter') ?? '') !== filter ||
      (request === undefined ? next.value !== after : !order.current.take(request));
    const search = new URLSearchParams({ filter, ...(after !== undefined && { after }) });
    try {
      const answer = await call<ConsoleStacksAnswer>('GET', `/console/stacks?${search}`);
      if (isLate()) return undefined;
      failure.value = undefined;
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof ApiFailure)) throw thrown;
      if (isLate()) return undefined;
      failure.value = thrown;
      return undefined;
    }
  };
  const load = async (after: string | undefined): Promise<void> => {
    const answer = await read(after);
    if (answer === undefined) return;
    rows.value = after === undefined ? answer.stacks : [...(rows.value ?? []), ...answer.stacks];
    next.value = answer.next;
  };
  /** Reads the first page again, because something has happened to one of its stacks. */
  const refresh = async (): Promise<void> => {
    const answer = await read(undefined);
    if (answer === undefined) return;
    const before = rows.value ?? [];
    if (before.length <= answer.stacks.length) next.value = answer.next;
    rows.value = refreshedRows(before, answer.stacks, answer.next !== null);
  };
  useEffect(() => {
    if (failure.value === undefined || !isPassing(failure.value)) return undefined;
    const timer = setTimeout(() => void load(undefined), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [failure.value]);
  useEffect(() => {
    const timer = setTimeout(() => void load(undefined), rows.value === undefined ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [filter]);
  const names = (rows.value ?? []).slice(0, 100).map(({ org, project, stack }) => ({ org, project, stack }));
  const listened = JSON.stringify(names);
  useEffect(() => {
    if (names.length === 0) return undefined;
    const heard = new Set<string>();
    return listen(names, {
      stack: (event) => {
        // The first event of a stack has no news if it says what the list shows.
        if (heard.has(event.stack) || !listShows(rows.value ?? [], event)) void refresh();
        heard.add(event.stack);
      },
      again: () => {
        heard.clear();
        void refresh();
      },
    });
  }, [listened]);
  return h('section', { 'aria-labelledby': 'title' }, [
    h('div', { class: 'title-line' }, [
      h('h1', { id: 'title' }, 'Stacks'),
      h('input', {
        ...{
          type: 'search',
          'aria-label': 'Filter stacks',
          placeholder: 'Filter by name or tag',
          value: filter,
        },
        onInput: (event: Event) => setQuery({ filter: (event.currentTarget as HTMLInputElement).value }),
      }),
    ]),
    h(SavedFilters, { filter }),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'list the stacks' }),
    rows.value === undefined && failure.value === undefined ? h(Waiting, { what: 'stacks' }) : null,
    rows.value?.length === 0
      ? h(
          Empty,
          filter === ''
            ? { text: 'There are no stacks yet.', command: 'cairn stack init dev' }
            : { text: 'No stack has all of these words.' },
        )
      : null,
    (rows.value?.length ?? 0) > 0 ? h(StackTable, { rows: rows.value ?? [] }) : null,
    next.value === null
      ? null
      : h(
          'button',
          { type: 'button', onClick: () => void load(next.value ?? undefined) },
          'Show more stacks',
        ),
  ]);
}

function StackTable({ rows }: { readonly rows: readonly ConsoleStackRow[] }): VNode {
  return h('div', { class: 'scroll', role: 'region', 'aria-label': 'List of stacks', tabIndex: 0 }, [
    h('table', { class: 'list' }, [
      h('thead', null, [
        h(
          'tr',
          null,
          ['Stack', 'Tags', 'Resources', 'Last operation', 'Drift', 'Now'].map((text) =>
            h('th', { scope: 'col' }, text),
          ),
        ),
      ]),
      h(
        'tbody',
        null,
        rows.map((row) => h(StackLine, { key: `${row.org}/${row.project}/${row.stack}`, row })),
      ),
    ]),
  ]);
}

function StackLine({ row }: { readonly row: ConsoleStackRow }): VNode {
  const { tags, resources, last, drift, running, inDoubt, approvals, waiting, holder, lostState } = row;
  return h('tr', null, [
    h(
      'th',
      { scope: 'row' },
      h('a', { href: stackAddress(row) }, [
        h('span', { class: 'quiet' }, [h(Name, { text: row.project }), ' / ']),
        h(Name, { text: row.stack }),
      ]),
    ),
    h(
      'td',
      { class: 'tags' },
      Object.entries(tags)
        .filter(([key]) => !/^(?:pulumi|vcs):/.test(key))
        .map(([key, value]) => h('span', { class: 'tag', key }, h(Name, { text: `${key}: ${value}` }))),
    ),
    h('td', { class: 'number' }, resources ?? '–'),
    h(
      'td',
      null,
      last === undefined
        ? h('span', { class: 'quiet' }, 'never')
        : [
            h(Badge, { tone: toneOfResult(last.result), text: `${last.kind} ${last.result}` }),
            ' ',
            h(Time, { ms: last.endTime * 1000 }),
          ],
    ),
    h(
      'td',
      null,
      drift === undefined
        ? h('span', { class: 'quiet' }, 'not looked')
        : [
            drift.resources === 0 ? 'none ' : h(Badge, { tone: 'update', text: `${drift.resources} differ` }),
            ' ',
            h(Time, { ms: drift.at * 1000 }),
          ],
    ),
    h('td', null, [
      running ? h(Badge, { tone: 'update', text: 'running' }) : null,
      inDoubt > 0 ? h(Badge, { tone: 'doubt', text: `${inDoubt} in doubt` }) : null,
      waiting === undefined ? null : h(Badge, { tone: 'same', text: `${waiting} waiting` }),
      holder === undefined ? null : h(Badge, { tone: 'update', text: `locked by ${holder}` }),
      lostState === undefined ? null : h(Badge, { tone: 'failed', text: 'state lost' }),
      approvals === undefined ? null : h(Badge, { tone: 'doubt', text: `${approvals} to approve` }),
    ]),
  ]);
}
