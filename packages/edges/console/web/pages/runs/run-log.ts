import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { textPieces } from '../../../src/model/texts.js';
import { webLinks } from '../../../src/model/web-links.js';
import { ApiFailure, apiCall, call } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { Failure } from '../../parts/basics.js';
import { Links } from '../../parts/links.js';
import { h } from '../../parts/h.js';

/** Time between two reads of a log that grows, in milliseconds. */
const READ_MS = 3000;
/** Lines that the page keeps: the last ones. */
const MOST_LINES = 2000;

interface LogAnswer {
  readonly lines: readonly { readonly header?: string; readonly line?: string }[];
  readonly nextToken?: string;
}

interface RunLogProps {
  readonly name: StackName;
  readonly id: string;
  readonly isOpen: boolean;
}

/** Log of a run, read on while the run is open. */
export function RunLog({ name, id, isOpen }: RunLogProps): VNode {
  const lines = useSignal<readonly string[]>([]);
  const failure = useSignal<ApiFailure | undefined>(undefined);
  useEffect(() => {
    let next = '';
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      const query = next === '' ? '' : `?${new URLSearchParams({ continuationToken: next })}`;
      try {
        const answer = await call<LogAnswer>('GET', apiCall(name, `/deployments/${id}/logs${query}`));
        if (isOver) return;
        failure.value = undefined;
        const added = answer.lines.map(({ header, line = '' }) => (header ? `== ${header}` : line));
        lines.value = [...(next === '' ? [] : lines.value), ...added].slice(-MOST_LINES);
        if (answer.nextToken === undefined) return;
        next = answer.nextToken;
      } catch (thrown) {
        if (!(thrown instanceof ApiFailure)) throw thrown;
        failure.value = thrown;
      }
      if (!isOver) timer = setTimeout(() => void read(), READ_MS);
    };
    void read();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id, isOpen]);
  return h('section', { 'aria-label': 'Log' }, [
    h('h3', null, 'Log'),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'read the log' }),
    lines.value.length === 0
      ? h('p', { class: 'quiet' }, 'The run has written nothing.')
      : h(
          'pre',
          { class: 'message', tabIndex: 0, 'aria-label': 'Lines of the log' },
          lines.value.map((line, index) =>
            h('div', { key: index }, [
              ...textPieces(line).map((piece, at) =>
                h('span', { key: at, class: piece.className }, piece.text),
              ),
              h(Links, { key: 'links', links: webLinks(line) }),
            ]),
          ),
        ),
  ]);
}
