import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { ConsoleChangeRow, ConsoleStackAnswer } from '@cairn/http-api';
import type { ChangePage } from '../../../src/model/change-page.js';
import { apiCall, call } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { Confirm } from '../../parts/confirm.js';
import { ContinueActions } from './continue-actions.js';
import { h } from '../../parts/h.js';

interface ActionsProps {
  readonly name: StackName;
  readonly row: ConsoleChangeRow;
  /** Facts about the stack, once they are loaded. */
  readonly stack: ConsoleStackAnswer | undefined;
  readonly page: ReadonlySignal<ChangePage>;
  readonly onSent: () => void;
}

/** Requests to a change that runs, and the commands that continue one that does not. */
export function ChangeActions({ name, row, stack, page, onSent }: ActionsProps): VNode | null {
  const { running, role = 'reader' } = stack ?? {};
  const asked = useSignal<keyof typeof ACTIONS | undefined>(undefined);
  const sent = useSignal('');
  if (!row.running) return h(ContinueActions, { name, row, stack, page, onSent });
  if (role === 'reader') return null;
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
