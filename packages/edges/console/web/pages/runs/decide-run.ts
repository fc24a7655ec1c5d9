import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { DeploymentAnswer } from '@cairn/http-api';
import type { ShownRun } from '@cairn/http-api/console';
import { approvalOf } from '../../../src/model/runs.js';
import { serviceAddress } from '../../api/base.js';
import { apiCall, call } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { Command } from '../../parts/basics.js';
import { Confirm } from '../../parts/confirm.js';
import { TextField } from '../../parts/fields.js';
import { h } from '../../parts/h.js';

interface DecideProps {
  readonly name: StackName;
  readonly deployment: DeploymentAnswer;
  readonly run: ShownRun;
  readonly reload: () => void;
}

/**
 * Approves or denies a run that waits, or denies one that is not applied yet. An approval is of the plan, the state and
 * the commit that the page shows.
 */
export function Decide({ name, deployment: { id, version }, run, reload }: DecideProps): VNode {
  const word = useSignal('');
  const asked = useSignal<'Approve' | 'Deny' | undefined>(undefined);
  const waits = run.status === 'waiting';
  const approval = waits ? approvalOf(run) : undefined;
  const left = run.needed - run.approvals.length;
  const button = (verb: 'Approve' | 'Deny'): VNode =>
    h('button', { type: 'button', key: verb, onClick: () => (asked.value = verb) }, verb);
  const send = async (): Promise<void> => {
    const reason = word.value.trim();
    if (asked.value === 'Approve') await call('POST', apiCall(name, `/deployments/${id}/approve`), approval);
    else await call('POST', apiCall(name, `/deployments/${id}/deny`), reason === '' ? {} : { reason });
    reload();
  };
  return h('div', { class: waits ? 'notice doubt' : 'notice' }, [
    h('p', null, waits ? waitsText(left) : 'It is ready, and not applied yet.'),
    h('div', { class: 'actions', role: 'group', 'aria-label': 'Decision' }, [
      approval === undefined ? null : button('Approve'),
      button('Deny'),
    ]),
    h(Command, {
      text: `cairn agent ${waits ? 'approve' : 'deny'} ${version} --service ${serviceAddress} --stack ${name.org}/${name.project}/${name.stack}`,
    }),
    asked.value === undefined
      ? null
      : h(
          Confirm,
          {
            ...{ title: `${asked.value} run ${version}`, verb: asked.value, run: send },
            onClose: () => (asked.value = undefined),
          },
          asked.value === 'Approve'
            ? h(
                'p',
                null,
                'The approval is of this plan, this state and this commit, with your name. The service refuses it when one of them has moved.',
              )
            : [
                h('p', null, 'The run ends without an effect. Your name and your word are its reason.'),
                h(TextField, { label: 'Reason', text: word }),
              ],
        ),
  ]);
}

function waitsText(left: number): string {
  return left === 1 ? 'It waits for an approval.' : `It waits for ${left} approvals.`;
}
