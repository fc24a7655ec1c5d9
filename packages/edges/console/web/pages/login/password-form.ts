import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { PasswordSignInAnswer } from '@cairn/http-api';
import { call } from '../../api/client.js';
import { useAction } from '../../parts/action.js';
import { Failure } from '../../parts/basics.js';
import { TextField } from '../../parts/fields.js';
import { h } from '../../parts/h.js';

/** Command on this machine that waits for a token, as its address names it. */
export interface WaitingCommand {
  readonly port: number;
  readonly nonce: string;
  readonly description: string;
}

interface PasswordFormProps {
  /** Command to sign in for. Without one, the form signs in to the console. */
  readonly command?: WaitingCommand;
  readonly onDone: (answer: PasswordSignInAnswer) => void;
}

/** Form for a user and a password. The password leaves the page with the call. */
export function PasswordForm({ command, onDone }: PasswordFormProps): VNode {
  const user = useSignal('');
  const password = useSignal('');
  const { failure, run } = useAction();
  const signIn = (event: Event): void => {
    event.preventDefault();
    const body = { user: user.value.trim(), password: password.value, ...(command && { command }) };
    password.value = '';
    let answer: PasswordSignInAnswer = {};
    void run(
      async () => (answer = await call<PasswordSignInAnswer>('POST', '/console/password-sign-in', body)),
      () => onDone(answer),
    );
  };
  return h('form', { class: 'tools', 'aria-label': 'Sign in with a password', onSubmit: signIn }, [
    h(TextField, { label: 'User', text: user, autocomplete: 'username' }),
    h(TextField, {
      ...{ label: 'Password', text: password, type: 'password', autocomplete: 'current-password' },
    }),
    h(
      'button',
      { type: 'submit', disabled: user.value.trim() === '' || password.value === '' },
      'Sign in with a password',
    ),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'sign in' }),
  ]);
}
