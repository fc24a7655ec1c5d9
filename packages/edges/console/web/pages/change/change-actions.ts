import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { ConsoleChangeRow, ConsoleStackAnswer } from '@cairn/http-api';
import { isUnfinished } from '../../../src/model/change-words.js';
import { apiCall, call } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { Command } from '../../parts/basics.js';
import { Confirm } from '../../parts/confirm.js';
import { h } from '../../parts/h.js';

interface ActionsProps {
  readonly name: StackName;
  readonly row: ConsoleChangeRow;
  readonly running: ConsoleStackAnswer['running'];
  readonly role: string;
  readonly onSent: () => void;
}

/** Requests to a change that runs, and the commands that continue one that does not. */
export function ChangeActions({ name, row, running, role, onSent }: ActionsProps): VNode | null {
  const asked = useSignal<keyof typeof ACTIONS | undefined>(undefined);
  const sent = useSignal('');
  const flags = `--stack ${name.org}/${name.project}/${name.stack}`;
  if (isUnfinished(row))
    return h('div', { class: 'notice' }, [
      h(
        'p',
        null,
        'The change did not end well. Continue it, or take back what it did, where its program is:',
      ),
      h(Command, { text: `cairn resume ${row.number} ${flags}` }),
      h(Command, { text: `cairn rollback ${row.number} ${flags}` }),
    ]);
  if (!row.running || role === 'reader') return null;
  const action = asked.value === undefined ? undefined : ACTIONS[asked.value];
  const send = async (): Promise<void> => {
    if (asked.value === 'cut' && running !== undefined)
      await call('POST', apiCall(name, `/update/${encodeURIComponent(running.update)}/cancel`));
    else
      await call('POST', apiCall(name, `/changes/${row.number}/messages`), {
        ...{ t: 'abort', rollback: asked.value === 'rollback', by: '' },
      });
    sent.value = action?.sent ?? '';
    onSent();
  };
  return h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' }, [
    ...(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]).map((key) =>
      h('button', { type: 'button', key, onClick: () => (asked.value = key) }, ACTIONS[key].verb),
    ),
    sent.value === '' ? null : h('span', { class: 'quiet', role: 'status' }, sent.value),
    action === undefined
      ? null
      : h(
          Confirm,
          {
            title: `${action.verb}?`,
            verb: action.verb,
            run: send,
            onClose: () => (asked.value = undefined),
          },
          h('p', null, action.text),
        ),
  ]);
}

const ACTIONS = {
  stop: {
    verb: 'Stop',
    text: 'Steps that run are finished, and no other step begins. What was done stays, and the change can be resumed or rolled back.',
    sent: 'Asked the change to stop.',
  },
  rollback: {
    verb: 'Abort and roll back',
    text: 'Steps that run are finished, no other step begins, and then the change takes back every step that it has done, in reverse order.',
    sent: 'Asked the change to roll back.',
  },
  cut: {
    verb: 'Cut off',
    text: 'The service takes the stack away from the process now. A step that runs is then in doubt. Do this only if the process is gone or does not answer.',
    sent: 'The process was cut off.',
  },
} as const;
