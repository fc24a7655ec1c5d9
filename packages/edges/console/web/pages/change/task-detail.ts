import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { visible } from '@cairn/diagnostics';
import type { ConsoleChangeRow } from '@cairn/http-api';
import type { TaskRow } from '../../../src/model/change-page.js';
import { textPieces } from '../../../src/model/texts.js';
import { elapsedText } from '../../../src/model/times.js';
import { webLinks } from '../../../src/model/web-links.js';
import type { StackName } from '../../api/client.js';
import { setQuery } from '../../api/router.js';
import { Copy, Name } from '../../parts/basics.js';
import { Links } from '../../parts/links.js';
import { Approve } from './approve.js';
import { h } from '../../parts/h.js';

interface DetailProps {
  readonly task: TaskRow;
  readonly tasks: readonly TaskRow[];
  readonly stack: StackName;
  readonly change: ConsoleChangeRow;
  readonly mayApprove: boolean;
  readonly onSent: () => void;
}

/** One task: why it is where it is, what it waits for, and what was written about it. */
export function TaskDetail({ task, tasks, stack, change, mayApprove, onSent }: DetailProps): VNode {
  const { name, type, urn, words, reason, lanes, attempts, ms, log } = task;
  const waits = new Set(task.waits);
  const unready = tasks.filter(({ id, status }) => status !== 'done' && waits.has(id));
  return h('section', { class: 'entry', 'aria-label': `Task ${task.id}` }, [
    h('div', { class: 'title-line' }, [
      h('h2', null, h(Name, { text: name })),
      h('button', { type: 'button', class: 'small', onClick: () => setQuery({ task: '' }) }, 'Close'),
    ]),
    h('p', { class: 'quiet' }, h(Name, { text: type })),
    h('p', null, words),
    task.status === 'wait' && mayApprove ? h(Approve, { name: stack, change, task, onSent }) : null,
    reason === undefined ? null : h('pre', { class: 'message' }, h('bdi', null, visible(reason))),
    h('dl', { class: 'members' }, [
      urn === undefined
        ? null
        : fact(
            'URN',
            h('span', { class: 'copied' }, [h(Name, { text: urn }), h(Copy, { text: urn, what: 'URN' })]),
          ),
      attempts > 1 ? fact('Attempts', String(attempts)) : null,
      ms < 1 ? null : fact('Took', elapsedText(ms)),
      lanes.length === 0 ? null : fact('Lanes', lanes.join(', ')),
      fact(
        'Waits for',
        unready.length === 0
          ? 'nothing'
          : h(
              'ul',
              { class: 'plain-list' },
              unready
                .slice(0, 50)
                .map(({ id, name: other, words: its }) =>
                  h('li', { key: id }, [
                    h(
                      'button',
                      { type: 'button', class: 'link', onClick: () => setQuery({ task: id }) },
                      h(Name, { text: other }),
                    ),
                    ` ${its}`,
                  ]),
                ),
            ),
      ),
    ]),
    h('h3', null, 'Messages'),
    h(Messages, { log }),
  ]);
}

/** Lines that were written about a task. They are made again only when there are more. */
function Messages({ log }: Pick<TaskRow, 'log'>): VNode {
  return useMemo(() => {
    if (log.length === 0) return h('p', { class: 'quiet' }, 'Nothing was written about it.');
    const lines = log.map((line, index) =>
      h('div', { key: index }, [
        ...textPieces(line).map((piece, at) => h('span', { key: at, class: piece.className }, piece.text)),
        h(Links, { key: 'links', links: webLinks(line) }),
      ]),
    );
    return h('pre', { class: 'message', tabIndex: 0 }, lines);
  }, [log]);
}

function fact(key: string, value: VNode | string): VNode {
  return h('div', { key }, [h('dt', null, key), h('dd', null, value)]);
}
