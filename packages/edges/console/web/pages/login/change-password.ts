import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import { call } from '../../api/client.js';
import { useAction } from '../../parts/action.js';
import { Failure } from '../../parts/basics.js';
import { TextField } from '../../parts/fields.js';
import { useTitle } from '../../parts/layout.js';
import { h } from '../../parts/h.js';

/** Page on which users change their own password. Their other sessions end; this one gets a new cookie. */
export function ChangePassword(): VNode {
  useTitle('Password');
  const current = useSignal('');
  const next = useSignal('');
  const again = useSignal('');
  const isDone = useSignal(false);
  const { failure, run } = useAction();
  const change = (event: Event): void => {
    event.preventDefault();
    isDone.value = false;
    const body = { current: current.value, next: next.value };
    void run(
      () => call('POST', '/console/password', body),
      () => {
        for (const field of [current, next, again]) field.value = '';
        isDone.value = true;
      },
    );
  };
  const isComplete = current.value !== '' && next.value !== '' && next.value === again.value;
  return h('section', null, [
    h('h1', null, 'Password'),
    h(
      'p',
      null,
      'It has at least 12 characters. What you opened with the former one ends, but for this page.',
    ),
    h('form', { class: 'tools', 'aria-label': 'Change the password', onSubmit: change }, [
      h(TextField, {
        ...{ label: 'Current password', text: current, type: 'password' },
        autocomplete: 'current-password',
      }),
      h(TextField, {
        ...{ label: 'New password', text: next, type: 'password', autocomplete: 'new-password' },
      }),
      h(TextField, {
        ...{ label: 'New password again', text: again, type: 'password', autocomplete: 'new-password' },
      }),
      h('button', { type: 'submit', disabled: !isComplete }, 'Change the password'),
    ]),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'change the password' }),
    isDone.value ? h('p', { role: 'status' }, 'The password is changed.') : null,
  ]);
}
