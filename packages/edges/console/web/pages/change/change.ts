import { Fragment } from 'preact';
import type { VNode } from 'preact';
import { useComputed, useSignalEffect } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { headLine } from '@cairn/diagnostics';
import type { ConsoleChangeRow } from '@cairn/http-api';
import { deploymentOfUpdate } from '@cairn/http-api/console';
import type { ChangePage, TaskRow } from '../../../src/model/change-page.js';
import { resultLabel, changeResult, changeTitle, continuesText } from '../../../src/model/change-words.js';
import { elapsedText } from '../../../src/model/times.js';
import { announce, now } from '../../api/clock.js';
import { query, setQuery, stackAddress } from '../../api/router.js';
import { Badge, Empty, Failure, Name, Time, Waiting, toneOfResult } from '../../parts/basics.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import { VirtualRows } from '../../parts/virtual-rows.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { ChangeActions } from './change-actions.js';
import { TaskDetail } from './task-detail.js';
import { useChange } from './watch-change.js';
import { h } from '../../parts/h.js';

interface ChangeProps extends StackPageProps {
  readonly number: number;
  readonly reloadStack: () => void;
}

/**
 * A change while it runs, and the same page from its record afterwards. Only the parts that show records are drawn
 * again when some come.
 */
export function Change({ name, loaded, number, reloadStack }: ChangeProps): VNode {
  useTitle(`Change ${number} of ${name.project}/${name.stack}`);
  const { page, change, failure } = useChange(name, number, reloadStack);
  const isKnown = useComputed(() => page.value !== undefined && change.value !== undefined);
  const sentence = useComputed(() => sentenceOf(number, page.value, change.value));
  useSignalEffect(() => {
    if (sentence.value !== undefined) announce(sentence.value);
  });
  return h('div', { class: 'page-tall' }, [
    h(StackHead, { name, page: 'changes', doubts: loaded.value?.doubts.length ?? 0 }),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'show the change' }),
    change.value === undefined || !isKnown.value
      ? failure.value === undefined
        ? h(Waiting, { what: 'the change' })
        : null
      : h(ChangeView, {
          ...{ name, loaded, row: change.value, onSent: reloadStack },
          page: page as ReadonlySignal<ChangePage>,
        }),
  ]);
}

/** Returns what people hear about a change, or undefined before it is known. */
function sentenceOf(
  number: number,
  page: ChangePage | undefined,
  row: ConsoleChangeRow | undefined,
): string | undefined {
  if (page === undefined || row === undefined) return undefined;
  const { ended, total } = page.tally;
  return row.running ? `${ended} of ${total} tasks ended` : `Change ${number} ${changeResult(row)}`;
}

interface ViewProps extends StackPageProps {
  readonly row: ConsoleChangeRow;
  readonly page: ReadonlySignal<ChangePage>;
  readonly onSent: () => void;
}

function ChangeView({ name, loaded, row, page, onSent }: ViewProps): VNode {
  return h('div', { class: 'change' }, [
    h(Summary, { name, row, page }),
    h(ChangeActions, { name, row, stack: loaded.value, page, onSent }),
    h(NewerRecords, { page }),
    h(Tasks, { name, loaded, row, page, onSent }),
  ]);
}

function NewerRecords({ page }: Pick<ViewProps, 'page'>): VNode | null {
  const kinds = useComputed(() => page.value.unknown.join(', '));
  if (kinds.value === '') return null;
  const text = `A newer Cairn wrote records that this page does not know: ${kinds.value}.`;
  return h('p', { class: 'notice' }, text);
}

function Tasks({ name, loaded, row, page, onSent }: ViewProps): VNode {
  const { tasks } = page.value;
  const selected = query.value.get('task') ?? undefined;
  const task = selected === undefined ? undefined : tasks.find(({ id }) => id === selected);
  const order = query.value.get('show') ?? '';
  const rows = shownTasks(tasks, order);
  const longest = order === 'slow' ? (rows[0]?.ms ?? 0) : 0;
  if (tasks.length === 0)
    return h(Empty, { text: row.running ? 'No task yet.' : 'The change had no tasks.' });
  return h('div', { class: `split${task === undefined ? '' : ' split-open'}` }, [
    h('div', { class: 'tree-side' }, [
      h(Choices, {}),
      h(VirtualRows<TaskRow>, {
        ...{ label: 'Tasks', rows, selected, depends: [longest] },
        keyOf: ({ id }) => id,
        onSelect: ({ id }) => setQuery({ task: id }),
        render: (each) => h(TaskLine, { task: each, longest }),
      }),
    ]),
    task === undefined
      ? null
      : h(TaskDetail, {
          ...{ key: task.id, task, tasks, stack: name, change: row, onSent },
          mayApprove: (loaded.value?.role ?? 'reader') !== 'reader',
        }),
  ]);
}

/** Buttons that choose which tasks are listed. */
function Choices(): VNode {
  const order = query.value.get('show') ?? '';
  const buttons = SHOWN.map(({ value, text }) =>
    h(
      'button',
      {
        type: 'button',
        class: 'small',
        key: value,
        'aria-pressed': value === order,
        onClick: () => setQuery({ show: value }),
      },
      text,
    ),
  );
  return h('div', { class: 'tools', role: 'group', 'aria-label': 'Tasks to show' }, buttons);
}

const SHOWN = [
  { value: '', text: 'All, in order' },
  { value: 'now', text: 'Now' },
  { value: 'wait', text: 'To approve' },
  { value: 'wrong', text: 'Failed or in doubt' },
  { value: 'slow', text: 'Slowest' },
] as const;

function shownTasks(tasks: readonly TaskRow[], show: string): readonly TaskRow[] {
  if (show === 'now') return tasks.filter(({ startedMs }) => startedMs !== undefined);
  if (show === 'wait') return tasks.filter(({ status }) => status === 'wait');
  if (show === 'wrong') return tasks.filter(({ tone }) => tone === 'failed' || tone === 'doubt');
  if (show === 'slow') return [...tasks].sort((a, b) => b.ms - a.ms).slice(0, 200);
  return tasks;
}

function Summary({ name, row, page }: Omit<ViewProps, 'loaded' | 'onSent'>): VNode {
  const { tally, firstMs, lastMs } = page.value;
  const { operation, running, sealed, number } = row;
  const endMs = running ? now.value : lastMs;
  const took = firstMs === undefined || endMs === undefined ? undefined : Math.max(0, endMs - firstMs);
  const rate = took === undefined || took < 1000 ? undefined : (tally.ended * 1000) / took;
  const continued = continuesText(row);
  const run = deploymentOfUpdate(operation.environment ?? {});
  return h('div', { class: 'summary' }, [
    h('h2', null, [`Change ${number}: `, h(Name, { text: changeTitle(row, name.stack) })]),
    h('p', null, [
      h(Badge, {
        tone: running ? 'update' : toneOfResult(sealed?.result ?? 'interrupted'),
        text: resultLabel(row),
      }),
      continued === undefined ? null : ` ${continued}`,
      ' by ',
      h(Name, { text: operation.username ?? 'unknown' }),
      operation.hostname === undefined ? null : [' on ', h(Name, { text: operation.hostname })],
      ', begun ',
      h(Time, { ms: operation.startTime === undefined ? firstMs : operation.startTime * 1000 }),
      took === undefined ? null : `, ${running ? 'for' : 'took'} ${elapsedText(took)}`,
      run === undefined ? null : [', by ', h('a', { href: stackAddress(name, `runs/${run}`) }, `run ${run}`)],
    ]),
    h('div', { class: 'progress-line' }, [
      h('progress', { max: Math.max(1, tally.total), value: tally.ended, 'aria-label': 'Tasks that ended' }),
      h('span', null, [
        `${tally.ended} of ${tally.total} tasks ended`,
        tally.running > 0 ? `, ${tally.running} running` : '',
        running && rate !== undefined ? `, ${rate.toFixed(1)} a second` : '',
      ]),
      tally.failed > 0 ? h('span', { class: 'failed' }, `${tally.failed} failed`) : null,
      tally.inDoubt > 0 ? h('span', { class: 'doubtful' }, `${tally.inDoubt} in doubt`) : null,
    ]),
  ]);
}

/** Width of the bar of the slowest task, in pixels. */
const BAR = 120;

function TaskLine({
  task,
  longest,
}: {
  readonly task: TaskRow;
  /** Duration of the slowest task in milliseconds, if bars are shown. */
  readonly longest: number;
}): VNode {
  const { mark, tone, words, name, type, ms, startedMs, progress, reason } = task;
  return h('span', { class: `task-line tone-${tone}` }, [
    h('span', { class: 'mark', 'aria-hidden': true }, mark),
    h('span', { class: 'resource-name' }, h(Name, { text: name })),
    h('span', { class: 'quiet resource-type' }, h(Name, { text: type })),
    h('span', { class: 'task-words' }, [
      words,
      progress !== undefined && progress.total > 1
        ? ` ${Math.floor((100 * progress.done) / progress.total)} %`
        : '',
      reason === undefined
        ? null
        : h('span', { class: 'task-reason' }, [': ', h(Name, { text: headLine(reason) })]),
    ]),
    longest > 0
      ? h(
          'svg',
          { class: 'task-bar', width: BAR, height: 10, 'aria-hidden': true },
          h('rect', { width: Math.max(1, Math.round((BAR * ms) / longest)), height: 10 }),
        )
      : null,
    h('span', { class: 'number task-time' }, h(Spent, { ms, startedMs })),
  ]);
}

/** Time of a task so far. Of a row, only this changes with the clock. */
function Spent({ ms, startedMs }: Pick<TaskRow, 'ms' | 'startedMs'>): VNode {
  const spent = ms + (startedMs === undefined ? 0 : Math.max(0, now.value - startedMs));
  return h(Fragment as () => VNode, {}, spent < 1 ? '' : elapsedText(spent));
}
