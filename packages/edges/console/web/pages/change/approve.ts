import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { ConsoleChangeRow } from '@cairn/http-api';
import type { TaskRow } from '../../../src/model/change-page.js';
import { apiCall, call } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { Command } from '../../parts/basics.js';
import { Confirm } from '../../parts/confirm.js';
import { h } from '../../parts/h.js';

interface ApproveProps {
  readonly name: StackName;
  readonly change: ConsoleChangeRow;
  readonly task: TaskRow;
  readonly onSent: () => void;
}

/** Approves a step that waits for it. A change that has ended continues with its next resume or rollback. */
export function Approve({ name, change: { number, running }, task, onSent }: ApproveProps): VNode {
  const isAsked = useSignal(false);
  const isSent = useSignal(false);
  const next = task.kind === 'gate' ? 'resume' : 'rollback';
  const send = async (): Promise<void> => {
    await call('POST', apiCall(name, `/changes/${number}/messages`), { t: 'approve', task: task.id, by: '' });
    isSent.value = true;
    onSent();
  };
  return h('div', { class: 'notice doubt' }, [
    h('p', null, 'It waits until a person approves it.'),
    isSent.value
      ? h(
          'p',
          { role: 'status' },
          running ? 'Approved. The change continues.' : 'Approved. This continues it:',
        )
      : h('button', { type: 'button', onClick: () => (isAsked.value = true) }, 'Approve'),
    isSent.value && !running
      ? h(Command, { text: `cairn ${next} ${number} --stack ${name.org}/${name.project}/${name.stack}` })
      : null,
    isAsked.value
      ? h(
          Confirm,
          { title: 'Approve?', verb: 'Approve', run: send, onClose: () => (isAsked.value = false) },
          h('p', null, 'The approval is recorded with your name. To deny it, leave it, or stop the change.'),
        )
      : null,
  ]);
}
