import type { VNode } from 'preact';
import { base, serviceAddress } from '../../api/base.js';
import { loginFailure, noteWanted, openSession, start } from '../../api/session.js';
import { Command, Failure } from '../../parts/basics.js';
import { useTitle } from '../../parts/layout.js';
import { h } from '../../parts/h.js';
import { PasswordForm } from './password-form.js';

/** Ways to log in: at the provider of the service, with a password, or by a link that a terminal makes. */
export function Login(): VNode {
  useTitle('Log in');
  const failure = loginFailure.value;
  return h('main', { class: 'plain', id: 'main' }, [
    h('h1', null, 'Cairn'),
    failure === undefined ? null : h(Failure, { failure, what: 'log in' }),
    start.value?.signIn === true
      ? h(
          'p',
          null,
          h('a', { class: 'button', href: `${base}/console/login`, onClick: noteWanted }, 'Sign in'),
        )
      : null,
    start.value?.passwords === true ? h(PasswordForm, { onDone: openSession }) : null,
    h('p', null, 'Where you are logged in with the command, this opens the console:'),
    h(Command, { text: `cairn console --backend-url ${serviceAddress}` }),
  ]);
}
